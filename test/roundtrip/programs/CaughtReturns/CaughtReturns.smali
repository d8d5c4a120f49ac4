# A branch whose two ways return a boolean, one of them inside of a try as d8 lays it out, the return with it.
.class public LCaughtReturns;
.super Ljava/lang/Object;

.method static asked(I)Z
.registers 3
if-gez p0, :fine
new-instance v0, Ljava/lang/IllegalStateException;
const-string v1, "below nothing"
invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
throw v0
:fine
rem-int/lit8 v0, p0, 0x2
return v0
.end method

.method static onlyOneIsCaught(II)Z
.registers 4
invoke-static {p0}, LCaughtReturns;->asked(I)Z
move-result v0
if-eqz v0, :no
:begin
invoke-static {p1}, LCaughtReturns;->asked(I)Z
move-result v0
return v0
:end
.catch Ljava/lang/IllegalStateException; {:begin .. :end} :caught
:no
const/4 v0, 0x0
return v0
:caught
move-exception v0
sget-object v1, Ljava/lang/System;->out:Ljava/io/PrintStream;
const-string v0, "caught"
invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
const/4 v0, 0x1
return v0
.end method

.method static show(II)V
.registers 4
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
:begin
invoke-static {p0, p1}, LCaughtReturns;->onlyOneIsCaught(II)Z
move-result v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Z)V
return-void
:end
.catch Ljava/lang/IllegalStateException; {:begin .. :end} :thrown
:thrown
move-exception v1
invoke-virtual {v1}, Ljava/lang/IllegalStateException;->getMessage()Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
.end method

.method public static main([Ljava/lang/String;)V
.registers 4
const/4 v0, -0x1
:rows
const/4 v1, 0x2
if-ge v0, v1, :done
const/4 v1, -0x1
:columns
const/4 v2, 0x2
if-ge v1, v2, :next
invoke-static {v0, v1}, LCaughtReturns;->show(II)V
add-int/lit8 v1, v1, 0x1
goto :columns
:next
add-int/lit8 v0, v0, 0x1
goto :rows
:done
return-void
.end method
