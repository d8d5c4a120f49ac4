.class public LMain;
.super Ljava/lang/Object;

.field static calls:I

# Counts its calls: what is compared is worked out once.
.method static next(F)F
    .registers 2
    sget v0, LMain;->calls:I
    add-int/lit8 v0, v0, 0x1
    sput v0, LMain;->calls:I
    return p0
.end method

.method static nextDouble(D)D
    .registers 3
    sget v0, LMain;->calls:I
    add-int/lit8 v0, v0, 0x1
    sput v0, LMain;->calls:I
    return-wide p0
.end method

.method static below(FF)I
    .registers 4
    invoke-static {p0}, LMain;->next(F)F
    move-result v0
    goto :second
    :compared
    cmpl-float v0, v0, v1
    goto :end
    :second
    invoke-static {p1}, LMain;->next(F)F
    move-result v1
    goto :compared
    :end
    return v0
.end method

.method static above(DD)I
    .registers 8
    invoke-static {p2, p3}, LMain;->nextDouble(D)D
    move-result-wide v0
    goto :compared
    :compared
    cmpg-double v2, p0, v0
    goto :end
    :end
    return v2
.end method

.method static order(FF)Ljava/lang/String;
    .registers 4
    invoke-static {p0}, LMain;->next(F)F
    move-result v0
    goto :compared
    :compared
    cmpg-float v0, v0, p1
    goto :asked
    :asked
    if-ltz v0, :less
    const-string v1, "not below"
    return-object v1
    :less
    const-string v1, "below"
    return-object v1
.end method

.method static print(I)V
    .registers 3
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(I)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .registers 6
    const/high16 v0, 0x3f800000
    const/high16 v1, 0x40000000
    const/high16 v2, 0x7fc00000
    invoke-static {v0, v1}, LMain;->below(FF)I
    move-result v3
    invoke-static {v3}, LMain;->print(I)V
    invoke-static {v0, v2}, LMain;->below(FF)I
    move-result v3
    invoke-static {v3}, LMain;->print(I)V
    invoke-static {v0, v0}, LMain;->below(FF)I
    move-result v3
    invoke-static {v3}, LMain;->print(I)V
    sget-object v4, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-static {v0, v1}, LMain;->order(FF)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v4, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-static {v2, v1}, LMain;->order(FF)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v4, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    const-wide/high16 v0, 0x3ff0000000000000L
    const-wide/high16 v2, 0x7ff8000000000000L
    invoke-static {v0, v1, v2, v3}, LMain;->above(DD)I
    move-result v4
    invoke-static {v4}, LMain;->print(I)V
    invoke-static {v0, v1, v0, v1}, LMain;->above(DD)I
    move-result v4
    invoke-static {v4}, LMain;->print(I)V
    sget v4, LMain;->calls:I
    invoke-static {v4}, LMain;->print(I)V
    return-void
.end method
