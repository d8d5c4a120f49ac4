.class public interface abstract Lkotlin/jvm/functions/Function0;
.super Ljava/lang/Object;
.method public abstract invoke()Ljava/lang/Object;
.end method
