.class public LMain;
.super Ljava/lang/Object;

.field static texts:Ljava/util/List;
    .annotation system Ldalvik/annotation/Signature;
        value = {"Ljava/util/List<Ljava/lang/String;>;"}
    .end annotation
.end field

.field static number:Ljava/lang/Object;
    .annotation system Ldalvik/annotation/Signature;
        value = {"Ljava/util/List<Ljava/lang/String;>;"}
    .end annotation
.end field

.field static unknown:Ljava/util/Map;
    .annotation system Ldalvik/annotation/Signature;
        value = {"Ljava/util/Map<TX;LNowhere;>;"}
    .end annotation
.end field

.field static few:Ljava/util/Map;
    .annotation system Ldalvik/annotation/Signature;
        value = {"Ljava/util/Map<Ljava/lang/String;>;"}
    .end annotation
.end field

.field static broken:Ljava/util/List;
    .annotation system Ldalvik/annotation/Signature;
        value = {"Ljava/util/List<Ljava/lang/String;>"}
    .end annotation
.end field

.field static unbounded:LBounded;
    .annotation system Ldalvik/annotation/Signature;
        value = {"LBounded<Ljava/lang/Object;>;"}
    .end annotation
.end field

# The list holds a number, whatever its signature says: no cast of the code fails.
.method public static main([Ljava/lang/String;)V
    .registers 5
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    sput-object v0, LMain;->texts:Ljava/util/List;
    const/4 v1, 0x7
    invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    sget-object v0, LMain;->texts:Ljava/util/List;
    const/4 v1, 0x0
    invoke-interface {v0, v1}, Ljava/util/List;->get(I)Ljava/lang/Object;
    move-result-object v2
    invoke-static {v2}, LMain;->say(Ljava/lang/Object;)V
    sget-object v0, LMain;->texts:Ljava/util/List;
    invoke-interface {v0, v1}, Ljava/util/List;->get(I)Ljava/lang/Object;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/Object;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-static {v2}, LMain;->say(Ljava/lang/Object;)V
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    const-string v3, "joined "
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    move-result-object v2
    sget-object v0, LMain;->texts:Ljava/util/List;
    invoke-interface {v0, v1}, Ljava/util/List;->get(I)Ljava/lang/Object;
    move-result-object v3
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-static {v2}, LMain;->say(Ljava/lang/Object;)V
    :try_start
    sget-object v0, LMain;->texts:Ljava/util/List;
    invoke-interface {v0, v1}, Ljava/util/List;->get(I)Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Ljava/lang/String;
    invoke-static {v2}, LMain;->say(Ljava/lang/Object;)V
    :try_end
    .catch Ljava/lang/ClassCastException; {:try_start .. :try_end} :caught
    goto :after
    :caught
    move-exception v2
    const-string v2, "no text"
    invoke-static {v2}, LMain;->say(Ljava/lang/Object;)V
    :after
    const-string v0, "number"
    sput-object v0, LMain;->number:Ljava/lang/Object;
    invoke-static {v0}, LMain;->say(Ljava/lang/Object;)V
    new-instance v0, LBounded;
    invoke-direct {v0}, LBounded;-><init>()V
    sput-object v0, LMain;->unbounded:LBounded;
    const-string v1, "kept"
    invoke-virtual {v0, v1}, LBounded;->keep(Ljava/lang/CharSequence;)Ljava/lang/CharSequence;
    move-result-object v1
    invoke-static {v1}, LMain;->say(Ljava/lang/Object;)V
    new-instance v0, LMore;
    invoke-direct {v0}, LMore;-><init>()V
    const-string v1, "more"
    invoke-virtual {v0, v1}, LBounded;->keep(Ljava/lang/CharSequence;)Ljava/lang/CharSequence;
    move-result-object v1
    invoke-static {v1}, LMain;->say(Ljava/lang/Object;)V
    new-instance v0, LCircle;
    invoke-direct {v0}, LCircle;-><init>()V
    const/4 v1, 0x0
    invoke-virtual {v0, v1}, LCircle;->turn(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    invoke-static {v1}, LMain;->say(Ljava/lang/Object;)V
    return-void
.end method

.method public static say(Ljava/lang/Object;)V
    .registers 3
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    return-void
.end method

# It says that it takes texts, and takes any list.
.method public static other(Ljava/util/List;)Ljava/lang/Object;
    .registers 2
    .annotation system Ldalvik/annotation/Signature;
        value = {"<T:Ljava/lang/Object;>(Ljava/util/List<TT;>;)TU;"}
    .end annotation
    return-object p0
.end method
