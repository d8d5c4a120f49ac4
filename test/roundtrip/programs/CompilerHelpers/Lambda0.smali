.class public final synthetic LMain$$ExternalSyntheticLambda0;
.super Ljava/lang/Object;
.implements LMain$Kept;
.implements Ljava/io/Serializable;
.field public final synthetic f$0:I

.method public synthetic constructor <init>(I)V
    .registers 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, LMain$$ExternalSyntheticLambda0;->f$0:I
    return-void
.end method

.method public final get()Ljava/lang/Object;
    .registers 2
    iget v0, p0, LMain$$ExternalSyntheticLambda0;->f$0:I
    invoke-static {v0}, LMain;->lambda$main$0(I)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method
