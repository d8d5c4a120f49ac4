.class public abstract Lkotlin/jvm/internal/Lambda;
.super Ljava/lang/Object;
.implements Lkotlin/jvm/internal/FunctionBase;
.implements Ljava/io/Serializable;
.field private final arity:I
.method public constructor <init>(I)V
.registers 7
.param p1, "arity"
move-object v0, v5
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
move-object v0, v5
move v1, v6
iput v1, v0, Lkotlin/jvm/internal/Lambda;->arity:I
return-void
.end method
.method public getArity()I
.registers 5
move-object v0, v4
iget v0, v0, Lkotlin/jvm/internal/Lambda;->arity:I
return v0
.end method
