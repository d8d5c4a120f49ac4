.class LMain$2;
.super LMain$Base;
.implements LMain$Kept;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x8
    name = null
.end annotation
.annotation system Ldalvik/annotation/EnclosingMethod;
    value = LMain;->main([Ljava/lang/String;)V
.end annotation
.field final synthetic val$start:I

.method constructor <init>(I)V
    .registers 2
    iput p1, p0, LMain$2;->val$start:I
    invoke-direct {p0}, LMain$Base;-><init>()V
    return-void
.end method

.method public get()Ljava/lang/Object;
    .registers 2
    iget v0, p0, LMain$2;->val$start:I
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
