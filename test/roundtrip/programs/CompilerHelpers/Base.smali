.class abstract LMain$Base;
.super Ljava/lang/Object;
.implements LMain$Kept;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x408
    name = "Base"
.end annotation
.annotation system Ldalvik/annotation/EnclosingClass;
    value = LMain;
.end annotation
.method constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
