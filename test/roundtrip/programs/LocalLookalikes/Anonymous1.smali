# It captures a variable by the name of a field that it inherits.
.class LMain$1;
.super LBase;
.field final synthetic val$count:I
.annotation system Ldalvik/annotation/EnclosingMethod;
    value = LMain;->main([Ljava/lang/String;)V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x0
    name = null
.end annotation

.method constructor <init>(II)V
    .registers 3
    iput p2, p0, LMain$1;->val$count:I
    invoke-direct {p0, p1}, LBase;-><init>(I)V
    return-void
.end method

.method public show()V
    .registers 3
    iget v0, p0, LMain$1;->val$count:I
    iget v1, p0, LBase;->count:I
    sub-int v0, v0, v1
    invoke-static {v0}, LMain;->lambda$main$0(I)V
    invoke-super {p0}, LBase;->show()V
    return-void
.end method
