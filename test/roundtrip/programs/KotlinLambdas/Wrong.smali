.class Lapp/KotlinLambdas$wrong$1;
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
iput-object v1, v0, Lapp/KotlinLambdas$wrong$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x7
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v6
invoke-static {v0}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
move-result-object v0
move-object v1, v5
iget-object v1, v1, Lapp/KotlinLambdas$wrong$1;->$text:Ljava/lang/String;
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
