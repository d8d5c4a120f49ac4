.class public LBase;
.super Ljava/lang/Object;
.field count:I

.method public constructor <init>(I)V
    .registers 3
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, LBase;->count:I
    return-void
.end method

.method public show()V
    .registers 3
    iget v0, p0, LBase;->count:I
    invoke-static {v0}, LMain;->lambda$main$0(I)V
    return-void
.end method
