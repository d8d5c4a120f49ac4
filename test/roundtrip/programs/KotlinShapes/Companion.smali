.class public final LData$Companion;
.super Ljava/lang/Object;

.annotation system Ldalvik/annotation/EnclosingClass;
value = LData;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x19
name = "Companion"
.end annotation

.method private constructor <init>()V
.registers 1
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
return-void
.end method

.method public synthetic constructor <init>(LData;)V
.registers 2
invoke-direct {p0}, LData$Companion;-><init>()V
return-void
.end method

.method public final of(Ljava/lang/String;)LData;
.registers 4
new-instance v0, LData;
invoke-virtual {p1}, Ljava/lang/String;->length()I
move-result v1
invoke-direct {v0, p1, v1}, LData;-><init>(Ljava/lang/String;I)V
return-object v0
.end method
