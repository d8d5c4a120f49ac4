.class Lapp/KotlinLambdas$outer$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function1;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->within(Ljava/lang/String;)V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field final synthetic $text:Ljava/lang/String;
.method constructor <init>(Ljava/lang/String;)V
.registers 7
move-object v0, v5
move-object v1, v6
iput-object v1, v0, Lapp/KotlinLambdas$outer$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x1
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke(Ljava/lang/String;)Lkotlin/jvm/functions/Function0;
.registers 9
.param p1, "it"
new-instance v0, Lapp/KotlinLambdas$outer$1$inner$1;
move-object v1, v0
move-object v0, v1
iget-object v2, v7, Lapp/KotlinLambdas$outer$1;->$text:Ljava/lang/String;
move-object v3, v8
invoke-direct {v1, v2, v3}, Lapp/KotlinLambdas$outer$1$inner$1;-><init>(Ljava/lang/String;Ljava/lang/String;)V
return-object v0
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v5
move-object v1, v6
check-cast v1, Ljava/lang/String;
invoke-virtual {v0, v1}, Lapp/KotlinLambdas$outer$1;->invoke(Ljava/lang/String;)Lkotlin/jvm/functions/Function0;
move-result-object v0
return-object v0
.end method
