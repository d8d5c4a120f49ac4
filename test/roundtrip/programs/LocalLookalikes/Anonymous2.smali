# It gives what it captured another value.
.class LMain$2;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;
.field synthetic val$of:LBase;
.annotation system Ldalvik/annotation/EnclosingMethod;
    value = LMain;->main([Ljava/lang/String;)V
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x0
    name = null
.end annotation

.method constructor <init>(LBase;)V
    .registers 2
    iput-object p1, p0, LMain$2;->val$of:LBase;
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public run()V
    .registers 3
    iget-object v0, p0, LMain$2;->val$of:LBase;
    if-nez v0, :known
    new-instance v0, LBase;
    const/4 v1, 0x4
    invoke-direct {v0, v1}, LBase;-><init>(I)V
    iput-object v0, p0, LMain$2;->val$of:LBase;
    invoke-virtual {p0}, LMain$2;->run()V
    const/4 v0, 0x0
    :known
    invoke-virtual {v0}, LBase;->show()V
    return-void
.end method
