.class public LUnmade;
.super LBase;

.method public constructor <init>(Ljava/lang/String;)V
.registers 3
new-instance v0, Ljava/lang/IllegalStateException;
invoke-direct {v0, p1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
throw v0
.end method
