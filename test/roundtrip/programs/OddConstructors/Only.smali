# The only constant of an enum, whose name a shrinker wrote into the constructor.
.class public final enum LOnly;
.super Ljava/lang/Enum;

.field public static final enum INSTANCE:LOnly;
.field private static final synthetic $VALUES:[LOnly;

.method static constructor <clinit>()V
.registers 3
new-instance v0, LOnly;
const-string v1, "INSTANCE"
const/4 v2, 0x0
invoke-direct {v0, v1, v2}, LOnly;-><init>(Ljava/lang/String;I)V
sput-object v0, LOnly;->INSTANCE:LOnly;
filled-new-array {v0}, [LOnly;
move-result-object v0
sput-object v0, LOnly;->$VALUES:[LOnly;
return-void
.end method

.method private constructor <init>(Ljava/lang/String;I)V
.registers 3
const-string p1, "INSTANCE"
const/4 p2, 0x0
invoke-direct {p0, p1, p2}, Ljava/lang/Enum;-><init>(Ljava/lang/String;I)V
return-void
.end method

.method public static values()[LOnly;
.registers 1
sget-object v0, LOnly;->$VALUES:[LOnly;
invoke-virtual {v0}, [LOnly;->clone()Ljava/lang/Object;
move-result-object v0
check-cast v0, [LOnly;
return-object v0
.end method
