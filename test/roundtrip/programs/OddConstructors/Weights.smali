# Constants with arrays, and a register whose 0 is passed to one and then counts.
.class public final enum LWeights;
.super Ljava/lang/Enum;

.field public static final enum LIGHT:LWeights;
.field public static final enum HEAVY:LWeights;
.field private static final synthetic $VALUES:[LWeights;
.field private static total:I
.field private final grams:[I
.field private final extra:I

.method static constructor <clinit>()V
.registers 8
new-instance v0, LWeights;
const/4 v1, 0x3
new-array v4, v1, [I
fill-array-data v4, :light
const-string v1, "LIGHT"
const/4 v2, 0x0
const/4 v5, 0x7
move-object v3, v4
move v4, v5
invoke-direct/range {v0 .. v4}, LWeights;-><init>(Ljava/lang/String;I[II)V
sput-object v0, LWeights;->LIGHT:LWeights;
new-instance v1, LWeights;
const/4 v0, 0x2
new-array v4, v0, [I
fill-array-data v4, :heavy
move v5, v2
move v6, v2
const-string v2, "HEAVY"
const/4 v3, 0x1
invoke-direct/range {v1 .. v5}, LWeights;-><init>(Ljava/lang/String;I[II)V
sput-object v1, LWeights;->HEAVY:LWeights;
sget-object v0, LWeights;->LIGHT:LWeights;
filled-new-array {v0, v1}, [LWeights;
move-result-object v0
sput-object v0, LWeights;->$VALUES:[LWeights;
array-length v1, v0
:next
if-ge v6, v1, :done
aget-object v2, v0, v6
iget-object v3, v2, LWeights;->grams:[I
const/4 v4, 0x1
aget v3, v3, v4
iget v2, v2, LWeights;->extra:I
add-int/2addr v3, v2
sget v2, LWeights;->total:I
add-int/2addr v2, v3
sput v2, LWeights;->total:I
add-int/lit8 v6, v6, 0x1
goto :next
:done
return-void
nop
:light
.array-data 4
1
20
3
.end array-data
:heavy
.array-data 4
1000
2000
.end array-data
.end method

.method private constructor <init>(Ljava/lang/String;I[II)V
.registers 5
invoke-direct {p0, p1, p2}, Ljava/lang/Enum;-><init>(Ljava/lang/String;I)V
iput-object p3, p0, LWeights;->grams:[I
iput p4, p0, LWeights;->extra:I
return-void
.end method

.method public static values()[LWeights;
.registers 1
sget-object v0, LWeights;->$VALUES:[LWeights;
invoke-virtual {v0}, [LWeights;->clone()Ljava/lang/Object;
move-result-object v0
check-cast v0, [LWeights;
return-object v0
.end method

.method public static sum()I
.registers 1
sget v0, LWeights;->total:I
return v0
.end method
