.class public interface abstract Lkotlin/jvm/functions/Function1;
.super Ljava/lang/Object;
.method public abstract invoke(Ljava/lang/Object;)Ljava/lang/Object;
.end method
