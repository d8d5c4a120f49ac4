# Its type parameters bound each other.
.class public LCircle;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/Signature;
    value = {"<A:TB;B:TA;>Ljava/lang/Object;"}
.end annotation

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public turn(Ljava/lang/Object;)Ljava/lang/Object;
    .registers 2
    .annotation system Ldalvik/annotation/Signature;
        value = {"(TA;)TB;"}
    .end annotation
    return-object p1
.end method
