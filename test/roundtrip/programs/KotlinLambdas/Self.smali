.class Lapp/KotlinLambdas$self$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function1;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->alike(Ljava/lang/String;)V
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
iput-object v1, v0, Lapp/KotlinLambdas$self$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x1
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v6
move-object v1, v5
if-ne v0, v1, :L10
const-string v0, "itself"
goto/32 :L14
:L10
move-object v0, v5
iget-object v0, v0, Lapp/KotlinLambdas$self$1;->$text:Ljava/lang/String;
:L14
return-object v0
.end method
