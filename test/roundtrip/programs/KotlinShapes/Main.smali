.class public final LKotlinShapes;
.super Ljava/lang/Object;

# What kotlinc makes of a parameter that may not be null.
.method public static checkNotNullParameter(Ljava/lang/Object;Ljava/lang/String;)V
.registers 4
if-nez p0, :good
new-instance v0, Ljava/lang/NullPointerException;
invoke-direct {v0, p1}, Ljava/lang/NullPointerException;-><init>(Ljava/lang/String;)V
throw v0
:good
return-void
.end method

.method public static areEqual(Ljava/lang/Object;Ljava/lang/Object;)Z
.registers 3
if-nez p0, :call
if-nez p1, :no
const/4 v0, 0x1
goto :end
:no
const/4 v0, 0x0
goto :end
:call
invoke-virtual {p0, p1}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
move-result v0
:end
return v0
.end method

# when (text) by its hash, with two texts of one hash.
.method public static whenText(Ljava/lang/String;)I
.registers 4
const-string v0, "text"
invoke-static {p0, v0}, LKotlinShapes;->checkNotNullParameter(Ljava/lang/Object;Ljava/lang/String;)V
invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
move-result v0
sparse-switch v0, :table
goto :other
:clash
const-string v0, "Aa"
invoke-virtual {p0, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
move-result v0
if-nez v0, :one
const-string v0, "BB"
invoke-virtual {p0, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
move-result v0
if-nez v0, :two
goto :other
:plain
const-string v0, "x"
invoke-virtual {p0, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
move-result v0
if-eqz v0, :other
const/4 v0, 0x3
goto :end
:one
const/4 v0, 0x1
goto :end
:two
const/4 v0, 0x2
goto :end
:other
const/4 v0, -0x1
:end
return v0
:table
.sparse-switch
0x78 -> :plain
0x840 -> :clash
.end sparse-switch
.end method

.method private static print(Ljava/lang/Object;)V
.registers 2
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
return-void
.end method

.method public static main([Ljava/lang/String;)V
.registers 7
const-string v0, "Aa"
invoke-static {v0}, LKotlinShapes;->whenText(Ljava/lang/String;)I
move-result v1
const-string v0, "BB"
invoke-static {v0}, LKotlinShapes;->whenText(Ljava/lang/String;)I
move-result v2
mul-int/lit8 v2, v2, 0xa
add-int/2addr v1, v2
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v1
invoke-static {v1}, LKotlinShapes;->print(Ljava/lang/Object;)V
:try_start
const/4 v0, 0x0
invoke-static {v0}, LKotlinShapes;->whenText(Ljava/lang/String;)I
:try_end
.catch Ljava/lang/NullPointerException; {:try_start .. :try_end} :caught
goto :after
:caught
move-exception v0
invoke-virtual {v0}, Ljava/lang/NullPointerException;->getMessage()Ljava/lang/String;
move-result-object v0
invoke-static {v0}, LKotlinShapes;->print(Ljava/lang/Object;)V
:after
sget-object v0, LData;->Companion:LData$Companion;
const-string v1, "made"
invoke-virtual {v0, v1}, LData$Companion;->of(Ljava/lang/String;)LData;
move-result-object v0
const/4 v1, 0x0
const/16 v2, 0x2a
const/4 v3, 0x1
const/4 v4, 0x0
invoke-static {v0, v1, v2, v3, v4}, LData;->copy$default(LData;Ljava/lang/String;IILjava/lang/Object;)LData;
move-result-object v1
invoke-static {v1}, LKotlinShapes;->print(Ljava/lang/Object;)V
const-string v1, "other"
const/4 v2, 0x0
const/4 v3, 0x2
invoke-static {v0, v1, v2, v3, v4}, LData;->copy$default(LData;Ljava/lang/String;IILjava/lang/Object;)LData;
move-result-object v1
invoke-static {v1}, LKotlinShapes;->print(Ljava/lang/Object;)V
invoke-static {v0, v1}, LKotlinShapes;->areEqual(Ljava/lang/Object;Ljava/lang/Object;)Z
move-result v2
invoke-static {v2}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
move-result-object v2
invoke-static {v2}, LKotlinShapes;->print(Ljava/lang/Object;)V
new-instance v0, LSteps;
invoke-direct {v0}, LSteps;-><init>()V
const/4 v1, 0x0
:again
invoke-virtual {v0, v1}, LSteps;->invokeSuspend(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v1
invoke-static {v1}, LKotlinShapes;->print(Ljava/lang/Object;)V
sget-object v2, LSteps;->SUSPENDED:Ljava/lang/Object;
if-eq v1, v2, :again
return-void
.end method
