.class LMarkedConstructors$2;
.super Ljava/lang/Object;
.implements LMarkedConstructors$Job;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = LMarkedConstructors;->later(Ljava/lang/String;)LMarkedConstructors$Job;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field calls:I
.field final synthetic val$text:Ljava/lang/String;
.method constructor <init>(Ljava/lang/String;)V
.registers 7
move-object v0, v5
move-object v1, v6
iput-object v1, v0, LMarkedConstructors$2;->val$text:Ljava/lang/String;
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
return-void
.end method
.method public go(I)Ljava/lang/Object;
.registers 8
.param p1, "n"
move-object v0, v6
move-object v1, v0
move-object v0, v1
iget v1, v1, LMarkedConstructors$2;->calls:I
move v2, v7
add-int v1, v1, v2
iput v1, v0, LMarkedConstructors$2;->calls:I
move-object v0, v6
invoke-virtual {v0}, LMarkedConstructors$2;->later()Ljava/lang/Object;
move-result-object v0
return-object v0
.end method
.method later()Ljava/lang/Object;
.registers 5
new-instance v0, LMarkedConstructors$2$$ExternalSyntheticLambda0;
invoke-direct {v0, v4}, LMarkedConstructors$2$$ExternalSyntheticLambda0;-><init>(LMarkedConstructors$2;)V
invoke-interface {v0}, Ljava/util/function/Supplier;->get()Ljava/lang/Object;
move-result-object v0
return-object v0
.end method
.method lambda$go$0()Ljava/lang/String;
.registers 6
new-instance v0, Ljava/lang/StringBuilder;
move-object v1, v0
move-object v0, v1
invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
move-object v1, v5
iget-object v1, v1, LMarkedConstructors$2;->val$text:Ljava/lang/String;
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
move-result-object v0
move-object v1, v5
iget v1, v1, LMarkedConstructors$2;->calls:I
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
move-result-object v0
invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
