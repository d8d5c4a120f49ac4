.class public LBounded;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/Signature;
    value = {"<T::Ljava/lang/CharSequence;>Ljava/lang/Object;"}
.end annotation

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public keep(Ljava/lang/CharSequence;)Ljava/lang/CharSequence;
    .registers 2
    .annotation system Ldalvik/annotation/Signature;
        value = {"(TT;)TT;"}
    .end annotation
    return-object p1
.end method
