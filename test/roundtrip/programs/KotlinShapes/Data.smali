.class public final LData;
.super Ljava/lang/Object;

.field public static final Companion:LData$Companion;
.field private final name:Ljava/lang/String;
.field private final size:I

.method static constructor <clinit>()V
.registers 2
new-instance v0, LData$Companion;
const/4 v1, 0x0
invoke-direct {v0, v1}, LData$Companion;-><init>(LData;)V
sput-object v0, LData;->Companion:LData$Companion;
return-void
.end method

.method public constructor <init>(Ljava/lang/String;I)V
.registers 4
const-string v0, "name"
invoke-static {p1, v0}, LKotlinShapes;->checkNotNullParameter(Ljava/lang/Object;Ljava/lang/String;)V
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
iput-object p1, p0, LData;->name:Ljava/lang/String;
iput p2, p0, LData;->size:I
return-void
.end method

.method public static synthetic copy$default(LData;Ljava/lang/String;IILjava/lang/Object;)LData;
.registers 5
and-int/lit8 p4, p3, 0x1
if-eqz p4, :given
iget-object p1, p0, LData;->name:Ljava/lang/String;
:given
and-int/lit8 p3, p3, 0x2
if-eqz p3, :both
iget p2, p0, LData;->size:I
:both
invoke-virtual {p0, p1, p2}, LData;->copy(Ljava/lang/String;I)LData;
move-result-object p0
return-object p0
.end method

.method public final copy(Ljava/lang/String;I)LData;
.registers 4
new-instance v0, LData;
invoke-direct {v0, p1, p2}, LData;-><init>(Ljava/lang/String;I)V
return-object v0
.end method

.method public equals(Ljava/lang/Object;)Z
.registers 6
const/4 v0, 0x1
if-ne p0, p1, :other
return v0
:other
instance-of v1, p1, LData;
const/4 v2, 0x0
if-nez v1, :same
return v2
:same
check-cast p1, LData;
iget-object v1, p0, LData;->name:Ljava/lang/String;
iget-object v3, p1, LData;->name:Ljava/lang/String;
invoke-static {v1, v3}, LKotlinShapes;->areEqual(Ljava/lang/Object;Ljava/lang/Object;)Z
move-result v1
if-nez v1, :size
return v2
:size
iget v1, p0, LData;->size:I
iget p1, p1, LData;->size:I
if-eq v1, p1, :yes
return v2
:yes
return v0
.end method

.method public hashCode()I
.registers 3
iget-object v0, p0, LData;->name:Ljava/lang/String;
invoke-virtual {v0}, Ljava/lang/String;->hashCode()I
move-result v0
mul-int/lit8 v0, v0, 0x1f
iget v1, p0, LData;->size:I
add-int/2addr v0, v1
return v0
.end method

.method public toString()Ljava/lang/String;
.registers 3
new-instance v0, Ljava/lang/StringBuilder;
invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
const-string v1, "Data(name="
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
iget-object v1, p0, LData;->name:Ljava/lang/String;
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
const-string v1, ", size="
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
iget v1, p0, LData;->size:I
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
const/16 v1, 0x29
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
