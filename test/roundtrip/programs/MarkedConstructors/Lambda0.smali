.class public final synthetic LMarkedConstructors$2$$ExternalSyntheticLambda0;
.super Ljava/lang/Object;
.implements Ljava/util/function/Supplier;
.field public final synthetic f$0:LMarkedConstructors$2;
.method public synthetic constructor <init>(LMarkedConstructors$2;)V
.registers 2
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
iput-object p1, p0, LMarkedConstructors$2$$ExternalSyntheticLambda0;->f$0:LMarkedConstructors$2;
return-void
.end method
.method public final get()Ljava/lang/Object;
.registers 2
iget-object v0, p0, LMarkedConstructors$2$$ExternalSyntheticLambda0;->f$0:LMarkedConstructors$2;
invoke-virtual {v0}, LMarkedConstructors$2;->lambda$go$0()Ljava/lang/String;
move-result-object v0
return-object v0
.end method
