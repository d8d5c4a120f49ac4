.class LMain$3;
.super Ljava/lang/Object;
.implements LMain$Kept;
.implements Ljava/lang/CharSequence;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x8
    name = null
.end annotation
.annotation system Ldalvik/annotation/EnclosingMethod;
    value = LMain;->main([Ljava/lang/String;)V
.end annotation

.method constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public get()Ljava/lang/Object;
    .registers 2
    invoke-virtual {p0}, LMain$3;->length()I
    move-result v0
    invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    return-object v0
.end method

.method public length()I
    .registers 2
    const/4 v0, 0x3
    return v0
.end method

.method public charAt(I)C
    .registers 3
    const/16 v0, 0x78
    return v0
.end method

.method public subSequence(II)Ljava/lang/CharSequence;
    .registers 3
    return-object p0
.end method

.method public toString()Ljava/lang/String;
    .registers 2
    const-string v0, "xxx"
    return-object v0
.end method
