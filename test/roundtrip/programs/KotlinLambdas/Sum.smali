.class Lapp/KotlinLambdas$sum$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function2;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->ofThis()V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field final synthetic this$0:Lapp/KotlinLambdas;
.method constructor <init>(Lapp/KotlinLambdas;)V
.registers 7
.param p1, "this$0"
move-object v0, v5
move-object v1, v6
iput-object v1, v0, Lapp/KotlinLambdas$sum$1;->this$0:Lapp/KotlinLambdas;
move-object v0, v5
const v1, 0x2
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke(II)I
.registers 10
.param p1, "a"
.param p2, "b"
move-object v0, v7
iget-object v0, v0, Lapp/KotlinLambdas$sum$1;->this$0:Lapp/KotlinLambdas;
move-object v1, v0
move-object v0, v1
iget v1, v1, Lapp/KotlinLambdas;->size:I
move v2, v8
move v3, v9
mul-int v2, v2, v3
add-int v1, v1, v2
move v2, v1
move-object v1, v0
move v0, v2
iput v2, v1, Lapp/KotlinLambdas;->size:I
return v0
.end method
.method public invoke(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
.registers 9
.param p1, "p1"
.param p2, "p2"
move-object v0, v6
move-object v1, v7
check-cast v1, Ljava/lang/Number;
invoke-virtual {v1}, Ljava/lang/Number;->intValue()I
move-result v1
move-object v2, v8
check-cast v2, Ljava/lang/Number;
invoke-virtual {v2}, Ljava/lang/Number;->intValue()I
move-result v2
invoke-virtual {v0, v1, v2}, Lapp/KotlinLambdas$sum$1;->invoke(II)I
move-result v0
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v0
return-object v0
.end method
