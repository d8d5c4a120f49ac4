.class LMarkedConstructors$1;
.super Ljava/lang/Object;
.implements LMarkedConstructors$Job;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = LMarkedConstructors;->job(Ljava/lang/String;)LMarkedConstructors$Job;
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
iput-object v1, v0, LMarkedConstructors$1;->val$text:Ljava/lang/String;
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
return-void
.end method
.method public go(I)Ljava/lang/Object;
.registers 9
.param p1, "n"
move-object v0, v7
move-object v1, v0
move-object v0, v1
iget v1, v1, LMarkedConstructors$1;->calls:I
move v2, v8
add-int v1, v1, v2
iput v1, v0, LMarkedConstructors$1;->calls:I
new-instance v0, LMarkedConstructors$Hidden;
move-object v1, v0
move-object v0, v1
new-instance v2, Ljava/lang/StringBuilder;
move-object v3, v2
move-object v2, v3
invoke-direct {v3}, Ljava/lang/StringBuilder;-><init>()V
move-object v3, v7
iget-object v3, v3, LMarkedConstructors$1;->val$text:Ljava/lang/String;
invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
move-result-object v2
move-object v3, v7
iget v3, v3, LMarkedConstructors$1;->calls:I
invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
move-result-object v2
invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
move-result-object v2
const/4 v3, 0x0
invoke-direct {v1, v2, v3}, LMarkedConstructors$Hidden;-><init>(Ljava/lang/String;LMarkedConstructors$1;)V
return-object v0
.end method
