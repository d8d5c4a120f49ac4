.class public LMany;
.super Ljava/lang/Object;
.implements Ljava/util/Comparator;
.annotation system Ldalvik/annotation/Signature;
    value = {"Ljava/lang/Object;Ljava/util/Comparator<Ljava/lang/String;Ljava/lang/String;>;"}
.end annotation

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public compare(Ljava/lang/String;Ljava/lang/String;)I
    .registers 3
    invoke-virtual {p1, p2}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public synthetic bridge compare(Ljava/lang/Object;Ljava/lang/Object;)I
    .registers 4
    check-cast p1, Ljava/lang/String;
    check-cast p2, Ljava/lang/String;
    invoke-virtual {p0, p1, p2}, LMany;->compare(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method
