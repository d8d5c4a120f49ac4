.class LMarkedConstructors$Twice;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMarkedConstructors;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x8
name = "Twice"
.end annotation
.field final n:I
.method private constructor <init>(I)V
.registers 7
.param p1, "n"
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
move-object v0, v5
move v1, v6
iput v1, v0, LMarkedConstructors$Twice;->n:I
return-void
.end method
.method constructor <init>(ILjava/lang/Object;)V
.registers 8
.param p1, "n"
.param p2, "of"
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
move-object v0, v5
move v1, v6
neg-int v1, v1
iput v1, v0, LMarkedConstructors$Twice;->n:I
return-void
.end method
.method public toString()Ljava/lang/String;
.registers 6
new-instance v0, Ljava/lang/StringBuilder;
move-object v1, v0
move-object v0, v1
invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
const-string v1, "twice "
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
move-result-object v0
move-object v1, v5
iget v1, v1, LMarkedConstructors$Twice;->n:I
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
move-result-object v0
invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
.method synthetic constructor <init>(ILMarkedConstructors$1;)V
.registers 8
.param p1, "x0"
.param p2, "x1"
move-object v0, v5
move v1, v6
invoke-direct {v0, v1}, LMarkedConstructors$Twice;-><init>(I)V
return-void
.end method
