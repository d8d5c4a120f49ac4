.class Lapp/KotlinLambdas$again$1;
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
iput-object v1, v0, Lapp/KotlinLambdas$again$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x1
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke(Ljava/lang/Integer;)Ljava/lang/Object;
.registers 8
.param p1, "it"
move-object v0, v7
invoke-virtual {v0}, Ljava/lang/Integer;->intValue()I
move-result v0
const v1, 0x2
if-le v0, v1, :L15
move-object v0, v6
iget-object v0, v0, Lapp/KotlinLambdas$again$1;->$text:Ljava/lang/String;
goto/32 :L28
:L15
move-object v0, v6
move-object v1, v7
invoke-virtual {v1}, Ljava/lang/Integer;->intValue()I
move-result v1
const v2, 0x1
add-int v1, v1, v2
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
invoke-virtual {v0, v1}, Lapp/KotlinLambdas$again$1;->invoke(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
:L28
return-object v0
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v5
move-object v1, v6
check-cast v1, Ljava/lang/Integer;
invoke-virtual {v0, v1}, Lapp/KotlinLambdas$again$1;->invoke(Ljava/lang/Integer;)Ljava/lang/Object;
move-result-object v0
return-object v0
.end method
