.class abstract LMain$Base;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMain;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x408
name = "Base"
.end annotation
.field said:Ljava/lang/String;
.method constructor <init>()V
.registers 2
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
invoke-virtual {p0}, LMain$Base;->name()Ljava/lang/String;
move-result-object v0
iput-object v0, p0, LMain$Base;->said:Ljava/lang/String;
return-void
.end method
.method abstract name()Ljava/lang/String;
.end method
