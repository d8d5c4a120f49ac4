# What compilers make to help: a class that only tells constructors apart, lambdas and anonymous classes that name twice what they are.
.class public LMain;
.super Ljava/lang/Object;

.method static synthetic lambda$main$0(I)Ljava/lang/Object;
    .registers 2
    mul-int/lit8 p0, p0, 0x7
    invoke-static {p0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    return-object v0
.end method

.method static show(Ljava/lang/Object;)V
    .registers 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    return-void
.end method

.method static ask(LMain$Kept;)V
    .registers 2
    invoke-interface {p0}, LMain$Kept;->get()Ljava/lang/Object;
    move-result-object v0
    invoke-static {v0}, LMain;->show(Ljava/lang/Object;)V
    instance-of v0, p0, Ljava/io/Serializable;
    invoke-static {v0}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v0
    invoke-static {v0}, LMain;->show(Ljava/lang/Object;)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .registers 4
    # An interface beside one that extends it.
    const/4 v0, 0x6
    new-instance v1, LMain$$ExternalSyntheticLambda0;
    invoke-direct {v1, v0}, LMain$$ExternalSyntheticLambda0;-><init>(I)V
    invoke-static {v1}, LMain;->ask(LMain$Kept;)V
    # An interface that the class above implements.
    new-instance v1, LMain$2;
    invoke-direct {v1, v0}, LMain$2;-><init>(I)V
    invoke-static {v1}, LMain;->ask(LMain$Kept;)V
    # Interfaces of which none is above the other.
    new-instance v1, LMain$3;
    invoke-direct {v1}, LMain$3;-><init>()V
    invoke-static {v1}, LMain;->ask(LMain$Kept;)V
    invoke-virtual {v1}, Ljava/lang/Object;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-static {v2}, LMain;->show(Ljava/lang/Object;)V
    # A private constructor, by one that takes nothing of an empty class.
    new-instance v1, LMain$Hidden;
    const/4 v2, 0x0
    invoke-direct {v1, v0, v2}, LMain$Hidden;-><init>(ILMain$1;)V
    invoke-static {v1}, LMain;->show(Ljava/lang/Object;)V
    # An empty class that is asked for.
    instance-of v2, v1, LMain$4;
    invoke-static {v2}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v2
    invoke-static {v2}, LMain;->show(Ljava/lang/Object;)V
    return-void
.end method
