.class LMain$Hidden;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x8
    name = "Hidden"
.end annotation
.annotation system Ldalvik/annotation/EnclosingClass;
    value = LMain;
.end annotation
.field private final number:I

.method private constructor <init>(I)V
    .registers 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, LMain$Hidden;->number:I
    return-void
.end method

.method synthetic constructor <init>(ILMain$1;)V
    .registers 3
    invoke-direct {p0, p1}, LMain$Hidden;-><init>(I)V
    return-void
.end method

.method public toString()Ljava/lang/String;
    .registers 2
    iget v0, p0, LMain$Hidden;->number:I
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
