.class Lapp/KotlinLambdas$outer$1$inner$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function0;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas$outer$1;->invoke(Ljava/lang/String;)Lkotlin/jvm/functions/Function0;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field final synthetic $it:Ljava/lang/String;
.field final synthetic $text:Ljava/lang/String;
.method constructor <init>(Ljava/lang/String;Ljava/lang/String;)V
.registers 8
.param p1, "$text"
move-object v0, v5
move-object v1, v6
iput-object v1, v0, Lapp/KotlinLambdas$outer$1$inner$1;->$text:Ljava/lang/String;
move-object v0, v5
move-object v1, v7
iput-object v1, v0, Lapp/KotlinLambdas$outer$1$inner$1;->$it:Ljava/lang/String;
move-object v0, v5
const v1, 0x0
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke()Ljava/lang/String;
.registers 6
move-object v0, v5
iget-object v0, v0, Lapp/KotlinLambdas$outer$1$inner$1;->$text:Ljava/lang/String;
move-object v1, v5
iget-object v1, v1, Lapp/KotlinLambdas$outer$1$inner$1;->$it:Ljava/lang/String;
new-instance v2, Ljava/lang/StringBuilder;
invoke-direct/range {v2 .. v2}, Ljava/lang/StringBuilder;-><init>()V
move-object/16 v3, v0
invoke-virtual/range {v2 .. v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
move-object/16 v3, v1
invoke-virtual/range {v2 .. v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
invoke-virtual/range {v2 .. v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
.method public bridge synthetic invoke()Ljava/lang/Object;
.registers 5
move-object v0, v4
invoke-virtual {v0}, Lapp/KotlinLambdas$outer$1$inner$1;->invoke()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
