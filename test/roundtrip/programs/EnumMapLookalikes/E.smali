.class final enum LMain$E;
.super Ljava/lang/Enum;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMain;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x4018
name = "E"
.end annotation
.field public static final enum A:LMain$E;
.field public static final enum B:LMain$E;
.field private static final synthetic $VALUES:[LMain$E;
.method static constructor <clinit>()V
.registers 5
new-instance v0, LMain$E;
const-string v1, "A"
const/4 v2, 0x0
invoke-direct {v0, v1, v2}, LMain$E;-><init>(Ljava/lang/String;I)V
sput-object v0, LMain$E;->A:LMain$E;
new-instance v1, LMain$E;
const-string v3, "B"
const/4 v4, 0x1
invoke-direct {v1, v3, v4}, LMain$E;-><init>(Ljava/lang/String;I)V
sput-object v1, LMain$E;->B:LMain$E;
const/4 v3, 0x2
new-array v3, v3, [LMain$E;
aput-object v0, v3, v2
aput-object v1, v3, v4
sput-object v3, LMain$E;->$VALUES:[LMain$E;
return-void
.end method
.method private constructor <init>(Ljava/lang/String;I)V
.registers 3
invoke-direct {p0, p1, p2}, Ljava/lang/Enum;-><init>(Ljava/lang/String;I)V
return-void
.end method
.method public static values()[LMain$E;
.registers 1
sget-object v0, LMain$E;->$VALUES:[LMain$E;
invoke-virtual {v0}, [LMain$E;->clone()Ljava/lang/Object;
move-result-object v0
check-cast v0, [LMain$E;
return-object v0
.end method
