.class public interface abstract LMain$Kept;
.super Ljava/lang/Object;
.implements Ljava/util/function/Supplier;
.implements Ljava/io/Serializable;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x609
    name = "Kept"
.end annotation
.annotation system Ldalvik/annotation/EnclosingClass;
    value = LMain;
.end annotation
.method public abstract get()Ljava/lang/Object;
.end method
