.class public final synthetic LMain$$ExternalSyntheticLambda2;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;
.field public synthetic kept:I

.method public synthetic constructor <init>(I)V
    .registers 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, LMain$$ExternalSyntheticLambda2;->kept:I
    return-void
.end method

.method public final run()V
    .registers 2
    iget v0, p0, LMain$$ExternalSyntheticLambda2;->kept:I
    invoke-static {v0}, LMain;->lambda$main$1(I)V
    return-void
.end method
