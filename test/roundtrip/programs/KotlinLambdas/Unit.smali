.class public final Lkotlin/Unit;
.super Ljava/lang/Object;
.field public static final INSTANCE:Lkotlin/Unit;
.method private constructor <init>()V
.registers 5
move-object v0, v4
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
return-void
.end method
.method public toString()Ljava/lang/String;
.registers 5
const-string v0, "kotlin.Unit"
return-object v0
.end method
.method static constructor <clinit>()V
.registers 5
new-instance v0, Lkotlin/Unit;
move-object v1, v0
move-object v0, v1
invoke-direct {v1}, Lkotlin/Unit;-><init>()V
sput-object v0, Lkotlin/Unit;->INSTANCE:Lkotlin/Unit;
return-void
.end method
