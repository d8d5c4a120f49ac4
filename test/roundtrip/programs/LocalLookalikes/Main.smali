# What looks like a lambda or an anonymous class, with what javac would not have made of one.
.class public LMain;
.super Ljava/lang/Object;

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method static say(Ljava/lang/String;I)I
    .registers 4
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return p1
.end method

.method static synthetic lambda$main$0(I)V
    .registers 3
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method

.method static synthetic lambda$main$1(I)V
    .registers 3
    mul-int/lit8 p0, p0, 0x3
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .registers 8
    # One that counts in its own field.
    const/4 v0, 0x1
    new-instance v1, LMain$$ExternalSyntheticLambda0;
    invoke-direct {v1, v0}, LMain$$ExternalSyntheticLambda0;-><init>(I)V
    invoke-interface {v1}, Ljava/lang/Runnable;->run()V
    invoke-interface {v1}, Ljava/lang/Runnable;->run()V
    # One that is asked for by its class.
    new-instance v1, LMain$$ExternalSyntheticLambda1;
    invoke-direct {v1, v0}, LMain$$ExternalSyntheticLambda1;-><init>(I)V
    instance-of v2, v1, LMain$$ExternalSyntheticLambda1;
    invoke-static {v2}, LMain;->lambda$main$0(I)V
    invoke-interface {v1}, Ljava/lang/Runnable;->run()V
    # A variable that is written again behind what captures it, in each turn of a loop.
    const/4 v3, 0x0
    :loop
    new-instance v1, LMain$$ExternalSyntheticLambda2;
    invoke-direct {v1, v3}, LMain$$ExternalSyntheticLambda2;-><init>(I)V
    add-int/lit8 v3, v3, 0x2
    invoke-interface {v1}, Ljava/lang/Runnable;->run()V
    const/4 v4, 0x5
    if-lt v3, v4, :loop
    # Arguments that are worked out in turn, one of them captured.
    const-string v4, "first"
    invoke-static {v4, v3}, LMain;->say(Ljava/lang/String;I)I
    move-result v4
    const-string v5, "second"
    const/16 v6, 0x9
    invoke-static {v5, v6}, LMain;->say(Ljava/lang/String;I)I
    move-result v5
    new-instance v1, LMain$1;
    invoke-direct {v1, v4, v5}, LMain$1;-><init>(II)V
    invoke-virtual {v1}, LBase;->show()V
    # A method of the object itself, and one that is called of nothing.
    new-instance v1, LMain$2;
    const/4 v4, 0x0
    invoke-direct {v1, v4}, LMain$2;-><init>(LBase;)V
    :try_start
    invoke-interface {v1}, Ljava/lang/Runnable;->run()V
    :try_end
    .catch Ljava/lang/NullPointerException; {:try_start .. :try_end} :caught
    return-void
    :caught
    move-exception v0
    const-string v5, "nothing"
    invoke-static {v5, v6}, LMain;->say(Ljava/lang/String;I)I
    return-void
.end method
