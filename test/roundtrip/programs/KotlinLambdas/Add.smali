.class Lapp/KotlinLambdas$add$1;
.super Lkotlin/jvm/internal/Lambda;
.implements Lkotlin/jvm/functions/Function1;
.annotation system Ldalvik/annotation/EnclosingMethod;
value = Lapp/KotlinLambdas;->units(Ljava/lang/StringBuilder;)V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = null
.end annotation
.field final synthetic $to:Ljava/lang/StringBuilder;
.method constructor <init>(Ljava/lang/StringBuilder;)V
.registers 7
move-object v0, v5
move-object v1, v6
iput-object v1, v0, Lapp/KotlinLambdas$add$1;->$to:Ljava/lang/StringBuilder;
move-object v0, v5
const v1, 0x1
invoke-direct {v0, v1}, Lkotlin/jvm/internal/Lambda;-><init>(I)V
return-void
.end method
.method public final invoke(Ljava/lang/String;)V
.registers 11
.param p1, "it"
move-object v0, v10
invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
move-result v0
if-eqz v0, :L8
return-void
:L8
move-object v0, v10
invoke-virtual {v0}, Ljava/lang/String;->toCharArray()[C
move-result-object v0
move-object v5, v0
move-object v0, v5
array-length v0, v0
move v6, v0
const v0, 0x0
move v7, v0
:L19
move v0, v7
move v1, v6
if-ge v0, v1, :L65
move-object v0, v5
move v1, v7
aget-char v0, v0, v1
move v8, v0
.local v8, "c":C
move v0, v8
const v1, 0x21
if-ne v0, v1, :L49
move-object v0, v9
iget-object v0, v0, Lapp/KotlinLambdas$add$1;->$to:Ljava/lang/StringBuilder;
const v1, 0x3f
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
move-result-object v0
return-void
:L49
move-object v0, v9
iget-object v0, v0, Lapp/KotlinLambdas$add$1;->$to:Ljava/lang/StringBuilder;
move v1, v8
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
move-result-object v0
add-int/lit8 v7, v7, 0x1
goto/32 :L19
:L65
move-object v0, v9
iget-object v0, v0, Lapp/KotlinLambdas$add$1;->$to:Ljava/lang/StringBuilder;
const v1, 0x3b
invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
move-result-object v0
return-void
.end method
.method public invoke(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
.param p1, "p1"
move-object v0, v5
move-object v1, v6
check-cast v1, Ljava/lang/String;
invoke-virtual {v0, v1}, Lapp/KotlinLambdas$add$1;->invoke(Ljava/lang/String;)V
sget-object v0, Lkotlin/Unit;->INSTANCE:Lkotlin/Unit;
return-object v0
.end method
