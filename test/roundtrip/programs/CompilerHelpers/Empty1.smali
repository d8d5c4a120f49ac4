.class synthetic LMain$1;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x1008
    name = null
.end annotation
.annotation system Ldalvik/annotation/EnclosingClass;
    value = LMain;
.end annotation
