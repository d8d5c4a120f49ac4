.class Lapp/KotlinLambdas$stop$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function0;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->failing(Ljava/lang/String;)V
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
iput-object v1, v0, Lapp/KotlinLambdas$stop$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x0
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public invoke()Ljava/lang/Object;
.registers 7
new-instance v0, Ljava/lang/IllegalStateException;
move-object v1, v0
move-object v0, v1
move-object v2, v6
iget-object v2, v2, Lapp/KotlinLambdas$stop$1;->$text:Ljava/lang/String;
invoke-direct {v1, v2}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
throw v0
.end method
