# It says that it is one for strings, and overrides the method for all.
.class public LMore;
.super LBounded;
.annotation system Ldalvik/annotation/Signature;
    value = {"LBounded<Ljava/lang/String;>;"}
.end annotation

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, LBounded;-><init>()V
    return-void
.end method

.method public keep(Ljava/lang/CharSequence;)Ljava/lang/CharSequence;
    .registers 3
    invoke-interface {p1}, Ljava/lang/CharSequence;->length()I
    move-result v0
    invoke-static {v0}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
