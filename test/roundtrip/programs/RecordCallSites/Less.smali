.class final LRecordCallSites$Less;
.super Ljava/lang/Record;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LRecordCallSites;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x18
name = "Less"
.end annotation
.annotation system Ldalvik/annotation/Record;
componentAnnotationVisibilities = {{}, {}}
componentAnnotations = {{}, {}}
componentNames = {"x", "y"}
componentSignatures = {null, null}
componentTypes = {I, Ljava/lang/String;}
.end annotation
.field private final x:I
.field private final y:Ljava/lang/String;
.method constructor <init>(ILjava/lang/String;)V
.registers 3
invoke-direct {p0}, Ljava/lang/Record;-><init>()V
iput p1, p0, LRecordCallSites$Less;->x:I
iput-object p2, p0, LRecordCallSites$Less;->y:Ljava/lang/String;
return-void
.end method
.method public x()I
.registers 2
iget v0, p0, LRecordCallSites$Less;->x:I
return v0
.end method
.method public y()Ljava/lang/String;
.registers 2
iget-object v0, p0, LRecordCallSites$Less;->y:Ljava/lang/String;
return-object v0
.end method
.method public final toString()Ljava/lang/String;
.registers 2
invoke-custom {p0}, call_site_10("toString", (LRecordCallSites$Less;)Ljava/lang/String;, LRecordCallSites$Less;, "y", instance-get@LRecordCallSites$Less;->y:Ljava/lang/String;)@Ljava/lang/runtime/ObjectMethods;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/TypeDescriptor;Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;
move-result-object v0
return-object v0
.end method
.method public final hashCode()I
.registers 2
invoke-custom {p0}, call_site_11("hashCode", (LRecordCallSites$Less;)I, LRecordCallSites$Less;, "y", instance-get@LRecordCallSites$Less;->y:Ljava/lang/String;)@Ljava/lang/runtime/ObjectMethods;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/TypeDescriptor;Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;
move-result v0
return v0
.end method
.method public final equals(Ljava/lang/Object;)Z
.registers 3
invoke-custom {p0, p1}, call_site_12("equals", (LRecordCallSites$Less;Ljava/lang/Object;)Z, LRecordCallSites$Less;, "y", instance-get@LRecordCallSites$Less;->y:Ljava/lang/String;)@Ljava/lang/runtime/ObjectMethods;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/TypeDescriptor;Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;
move-result v0
return v0
.end method
