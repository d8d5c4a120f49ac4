.class interface abstract LMarkedConstructors$Job;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMarkedConstructors;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x608
name = "Job"
.end annotation
.method public abstract go(I)Ljava/lang/Object;
.end method
