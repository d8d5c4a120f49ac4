# What Kotlin makes of lambdas: classes that capture, give Unit, are made within each other; and some that do more than a lambda says.
.class public Lapp/KotlinLambdas;
.super Ljava/lang/Object;
.field size:I
.method public constructor <init>()V
.registers 6
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
move-object v0, v5
const v1, 0x5
iput v1, v0, Lapp/KotlinLambdas;->size:I
return-void
.end method
.method static show(Ljava/lang/Object;)V
.registers 6
.param p0, "value"
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
move-object v1, v5
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
return-void
.end method
.method static ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
.registers 8
.param p0, "function"
.param p1, "value"
:try_0
move-object v0, v6
move-object v1, v7
invoke-interface {v0, v1}, Lkotlin/jvm/functions/Function1;->invoke(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
:try_7
return-object v0
:L8
move-object v5, v0
.local v5, "e":Ljava/lang/RuntimeException;
move-object v0, v5
invoke-virtual {v0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
move-result-object v0
invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
move-result-object v0
return-object v0
.catch Ljava/lang/RuntimeException; {:try_0 .. :try_7} :pad_8
:pad_8
move-exception v0
goto/32 :L8
.end method
.method static captured(ILjava/lang/String;)V
.registers 10
.param p0, "times"
.param p1, "text"
new-instance v0, Lapp/KotlinLambdas$plus$1;
move-object v1, v0
move-object v0, v1
move v2, v8
move-object v3, v9
invoke-direct {v1, v2, v3}, Lapp/KotlinLambdas$plus$1;-><init>(ILjava/lang/String;)V
move-object v7, v0
.local v7, "function":Lkotlin/jvm/functions/Function1;
move-object v0, v7
const v1, 0x3
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v7
const-string v1, "no number"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v7
const/4 v1, 0x0
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
return-void
.end method
.method static units(Ljava/lang/StringBuilder;)V
.registers 8
.param p0, "to"
new-instance v0, Lapp/KotlinLambdas$add$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$add$1;-><init>(Ljava/lang/StringBuilder;)V
move-object v6, v0
.local v6, "function":Lkotlin/jvm/functions/Function1;
move-object v0, v6
const-string v1, "one"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
const-string v1, ""
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
const-string v1, "a!b"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
const v1, 0x4
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v7
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
return-void
.end method
.method static failing(Ljava/lang/String;)V
.registers 8
.param p0, "text"
:try_0
new-instance v0, Lapp/KotlinLambdas$stop$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$stop$1;-><init>(Ljava/lang/String;)V
invoke-virtual {v0}, Lapp/KotlinLambdas$stop$1;->invoke()Ljava/lang/Object;
move-result-object v0
:try_12
goto/32 :L23
:L15
move-object v6, v0
.local v6, "e":Ljava/lang/IllegalStateException;
move-object v0, v6
invoke-virtual {v0}, Ljava/lang/IllegalStateException;->getMessage()Ljava/lang/String;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
:L23
return-void
.catch Ljava/lang/IllegalStateException; {:try_0 .. :try_12} :pad_15
:pad_15
move-exception v0
goto/32 :L15
.end method
.method ofThis()V
.registers 9
new-instance v0, Lapp/KotlinLambdas$sum$1;
move-object v1, v0
move-object v0, v1
move-object v2, v8
invoke-direct {v1, v2}, Lapp/KotlinLambdas$sum$1;-><init>(Lapp/KotlinLambdas;)V
move-object v7, v0
.local v7, "function":Lkotlin/jvm/functions/Function2;
move-object v0, v7
const v1, 0x2
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
const v2, 0x3
invoke-static {v2}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v2
invoke-interface {v0, v1, v2}, Lkotlin/jvm/functions/Function2;->invoke(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v7
const-wide v1, 0x4L
invoke-static {v1, v2}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
move-result-object v1
const-wide v2, 0x4016000000000000L
invoke-static {v2, v3}, Ljava/lang/Double;->valueOf(D)Ljava/lang/Double;
move-result-object v2
invoke-interface {v0, v1, v2}, Lkotlin/jvm/functions/Function2;->invoke(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v8
iget v0, v0, Lapp/KotlinLambdas;->size:I
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
return-void
.end method
.method static alike(Ljava/lang/String;)V
.registers 8
.param p0, "text"
new-instance v0, Lapp/KotlinLambdas$self$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$self$1;-><init>(Ljava/lang/String;)V
move-object v6, v0
.local v6, "itself":Lkotlin/jvm/functions/Function1;
new-instance v0, Lapp/KotlinLambdas$loud$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$loud$1;-><init>(Ljava/lang/String;)V
const-string v1, "x"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
move-object v1, v6
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
const-string v1, "y"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
new-instance v0, Lapp/KotlinLambdas$wrong$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$wrong$1;-><init>(Ljava/lang/String;)V
const-string v1, "z"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
new-instance v0, Lapp/KotlinLambdas$busy$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$busy$1;-><init>(Ljava/lang/String;)V
const-string v1, "w"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
new-instance v0, Lapp/KotlinLambdas$twice$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$twice$1;-><init>(Ljava/lang/String;)V
invoke-virtual {v0}, Lapp/KotlinLambdas$twice$1;->invoke()Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
new-instance v0, Lapp/KotlinLambdas$twice$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$twice$1;-><init>(Ljava/lang/String;)V
invoke-virtual {v0}, Lapp/KotlinLambdas$twice$1;->invoke()Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
new-instance v0, Lapp/KotlinLambdas$again$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$again$1;-><init>(Ljava/lang/String;)V
const v1, 0x0
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
invoke-static {v0, v1}, Lapp/KotlinLambdas;->ask(Lkotlin/jvm/functions/Function1;Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
return-void
.end method
.method static within(Ljava/lang/String;)V
.registers 8
.param p0, "text"
new-instance v0, Lapp/KotlinLambdas$outer$1;
move-object v1, v0
move-object v0, v1
move-object v2, v7
invoke-direct {v1, v2}, Lapp/KotlinLambdas$outer$1;-><init>(Ljava/lang/String;)V
move-object v6, v0
.local v6, "function":Lkotlin/jvm/functions/Function1;
move-object v0, v6
const-string v1, "a"
invoke-interface {v0, v1}, Lkotlin/jvm/functions/Function1;->invoke(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
check-cast v0, Lkotlin/jvm/functions/Function0;
invoke-interface {v0}, Lkotlin/jvm/functions/Function0;->invoke()Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
move-object v0, v6
const-string v1, "b"
invoke-interface {v0, v1}, Lkotlin/jvm/functions/Function1;->invoke(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v0
check-cast v0, Lkotlin/jvm/functions/Function0;
invoke-interface {v0}, Lkotlin/jvm/functions/Function0;->invoke()Ljava/lang/Object;
move-result-object v0
invoke-static {v0}, Lapp/KotlinLambdas;->show(Ljava/lang/Object;)V
return-void
.end method
.method public static main([Ljava/lang/String;)V
.registers 7
.param p0, "arguments"
const v0, 0x2
const-string v1, "abc"
invoke-static {v0, v1}, Lapp/KotlinLambdas;->captured(ILjava/lang/String;)V
new-instance v0, Ljava/lang/StringBuilder;
move-object v1, v0
move-object v0, v1
const-string v2, "to:"
invoke-direct {v1, v2}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
invoke-static {v0}, Lapp/KotlinLambdas;->units(Ljava/lang/StringBuilder;)V
const-string v0, "stopped"
invoke-static {v0}, Lapp/KotlinLambdas;->failing(Ljava/lang/String;)V
new-instance v0, Lapp/KotlinLambdas;
move-object v1, v0
move-object v0, v1
invoke-direct {v1}, Lapp/KotlinLambdas;-><init>()V
invoke-virtual {v0}, Lapp/KotlinLambdas;->ofThis()V
const-string v0, "!"
invoke-static {v0}, Lapp/KotlinLambdas;->alike(Ljava/lang/String;)V
const-string v0, "in "
invoke-static {v0}, Lapp/KotlinLambdas;->within(Ljava/lang/String;)V
return-void
.end method
