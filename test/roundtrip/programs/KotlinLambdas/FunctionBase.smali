.class public interface abstract Lkotlin/jvm/internal/FunctionBase;
.super Ljava/lang/Object;
.method public abstract getArity()I
.end method
