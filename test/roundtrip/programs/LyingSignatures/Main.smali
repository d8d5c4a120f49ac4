.class public LMain;
.super Ljava/lang/Object;

.method public static say(Ljava/lang/Object;)V
    .registers 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    return-void
.end method

.method public static ask(Ljava/util/Comparator;)V
    .registers 3
    const-string v0, "a"
    const-string v1, "b"
    invoke-interface {p0, v0, v1}, Ljava/util/Comparator;->compare(Ljava/lang/Object;Ljava/lang/Object;)I
    move-result v0
    invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    invoke-static {v0}, LMain;->say(Ljava/lang/Object;)V
    return-void
.end method

.method public static askPieces(LPieces;Ljava/lang/Object;)V
    .registers 3
    invoke-virtual {p0, p1, p1}, LPieces;->compare(Ljava/lang/Object;Ljava/lang/Object;)I
    move-result v0
    invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    invoke-static {v0}, LMain;->say(Ljava/lang/Object;)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .registers 2
    new-instance v0, LSwapped;
    invoke-direct {v0}, LSwapped;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LTelling;
    invoke-direct {v0}, LTelling;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LUnbridged;
    invoke-direct {v0}, LUnbridged;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LOthers;
    invoke-direct {v0}, LOthers;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LMany;
    invoke-direct {v0}, LMany;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LFree;
    invoke-direct {v0}, LFree;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LWild;
    invoke-direct {v0}, LWild;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LElsewhere;
    invoke-direct {v0}, LElsewhere;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LBroken;
    invoke-direct {v0}, LBroken;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LPieces;
    invoke-direct {v0}, LPieces;-><init>()V
    invoke-static {v0}, LMain;->ask(Ljava/util/Comparator;)V
    new-instance v0, LPieces;
    invoke-direct {v0}, LPieces;-><init>()V
    const-string v1, "c"
    invoke-static {v0, v1}, LMain;->askPieces(LPieces;Ljava/lang/Object;)V
    return-void
.end method
