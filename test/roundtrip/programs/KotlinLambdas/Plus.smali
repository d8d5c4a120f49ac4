.class Lapp/KotlinLambdas$plus$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function1;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->captured(ILjava/lang/String;)V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field final synthetic $times:I
.field final synthetic $text:Ljava/lang/String;
.method constructor <init>(ILjava/lang/String;)V
.registers 8
move-object v0, v5
move v1, v6
iput v1, v0, Lapp/KotlinLambdas$plus$1;->$times:I
move-object v0, v5
move-object v1, v7
iput-object v1, v0, Lapp/KotlinLambdas$plus$1;->$text:Ljava/lang/String;
move-object v0, v5
const v1, 0x1
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke(I)I
.registers 9
.param p1, "it"
move v0, v8
move v5, v0
.local v5, "sum":I
const v0, 0x0
move v6, v0
.local v6, "i":I
:L4
move v0, v6
move-object v1, v7
iget v1, v1, Lapp/KotlinLambdas$plus$1;->$times:I
if-ge v0, v1, :L28
move v0, v5
move-object v1, v7
iget-object v1, v1, Lapp/KotlinLambdas$plus$1;->$text:Ljava/lang/String;
invoke-virtual {v1}, Ljava/lang/String;->length()I
move-result v1
add-int v0, v0, v1
move v5, v0
add-int/lit8 v6, v6, 0x1
goto/32 :L4
:L28
move v0, v5
return v0
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v5
move-object v1, v6
check-cast v1, Ljava/lang/Number;
invoke-virtual {v1}, Ljava/lang/Number;->intValue()I
move-result v1
invoke-virtual {v0, v1}, Lapp/KotlinLambdas$plus$1;->invoke(I)I
move-result v0
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v0
return-object v0
.end method
