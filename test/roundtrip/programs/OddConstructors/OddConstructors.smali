# What shrinkers leave of constructors: `this` in several registers, and a class that nobody can make.
.class public LOddConstructors;
.super LBase;

.field count:J

.method public constructor <init>(I)V
.registers 8
move-object v1, p0
invoke-direct {v1, p1}, LBase;-><init>(I)V
:first
invoke-static {p1}, LOddConstructors;->tried(I)J
move-result-wide v4
:firstEnd
.catchall {:first .. :firstEnd} :failed
move-object v2, v1
:second
invoke-virtual {v2, v4, v5}, LOddConstructors;->keep(J)V
:secondEnd
.catchall {:second .. :secondEnd} :failedLater
return-void
:failedLater
move-exception v0
move-object v1, v2
goto :closed
:failed
move-exception v0
:closed
const-string v3, "closed"
invoke-virtual {v1, v3}, LBase;->say(Ljava/lang/String;)V
throw v0
.end method

.method static tried(I)J
.registers 4
const/16 v0, 0x64
div-int v0, v0, p0
int-to-long v0, v0
return-wide v0
.end method

.method keep(J)V
.registers 5
iput-wide p1, p0, LOddConstructors;->count:J
const-wide/16 v0, 0x32
cmp-long v0, p1, v0
if-gtz v0, :large
return-void
:large
new-instance v0, Ljava/lang/IllegalStateException;
const-string v1, "too large"
invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
throw v0
.end method

.method static show(I)V
.registers 4
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
:begin
new-instance v1, LOddConstructors;
invoke-direct {v1, p0}, LOddConstructors;-><init>(I)V
iget-wide v1, v1, LOddConstructors;->count:J
invoke-virtual {v0, v1, v2}, Ljava/io/PrintStream;->println(J)V
return-void
:end
.catch Ljava/lang/RuntimeException; {:begin .. :end} :thrown
:thrown
move-exception v1
invoke-virtual {v1}, Ljava/lang/RuntimeException;->getMessage()Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
.end method

.method public static main([Ljava/lang/String;)V
.registers 3
const/4 v0, 0x0
invoke-static {v0}, LOddConstructors;->show(I)V
const/4 v0, 0x1
invoke-static {v0}, LOddConstructors;->show(I)V
const/4 v0, 0x4
invoke-static {v0}, LOddConstructors;->show(I)V
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
:begin
new-instance v1, LUnmade;
const-string v2, "nobody makes it"
invoke-direct {v1, v2}, LUnmade;-><init>(Ljava/lang/String;)V
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
:end
.catch Ljava/lang/IllegalStateException; {:begin .. :end} :thrown
:more
invoke-static {}, LWeights;->values()[LWeights;
move-result-object v1
array-length v1, v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
invoke-static {}, LWeights;->sum()I
move-result v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
sget-object v1, LOnly;->INSTANCE:LOnly;
invoke-virtual {v1}, LOnly;->name()Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
:thrown
move-exception v1
invoke-virtual {v1}, Ljava/lang/IllegalStateException;->getMessage()Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
goto :more
.end method
