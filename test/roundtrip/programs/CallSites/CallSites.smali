.class public LCallSites;
.super Ljava/lang/Object;
.method static say(Ljava/lang/Object;)V
.registers 2
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
return-void
.end method
.method static body(Ljava/lang/String;I)V
.registers 4
new-instance v0, Ljava/lang/StringBuilder;
invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
invoke-static {v0}, LCallSites;->say(Ljava/lang/Object;)V
return-void
.end method
.method static twice(I)J
.registers 3
int-to-long v0, p0
add-long v0, v0, v0
return-wide v0
.end method
.method static given()Ljava/lang/String;
.registers 1
const-string v0, "given"
return-object v0
.end method
.method static change(Ljava/lang/StringBuilder;)J
.registers 3
const-string v0, "changed"
invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
const-wide/16 v0, 0x9
return-wide v0
.end method
.method public static added(II)I
.registers 2
add-int v0, p0, p1
return v0
.end method
.method public static said(Ljava/lang/String;)V
.registers 1
invoke-static {p0}, LCallSites;->say(Ljava/lang/Object;)V
return-void
.end method
.method public static bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;I)Ljava/lang/invoke/CallSite;
.registers 8
invoke-static {p3}, LCallSites;->say(Ljava/lang/Object;)V

invoke-static {p4}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v0
invoke-static {v0}, LCallSites;->say(Ljava/lang/Object;)V

const-class v0, LCallSites;
invoke-virtual {p0, v0, p1, p2}, Ljava/lang/invoke/MethodHandles$Lookup;->findStatic(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;
move-result-object v0
new-instance v1, Ljava/lang/invoke/ConstantCallSite;
invoke-direct {v1, v0}, Ljava/lang/invoke/ConstantCallSite;-><init>(Ljava/lang/invoke/MethodHandle;)V
return-object v1
.end method
.method public static main([Ljava/lang/String;)V
.registers 7

# a Runnable that has captured a text and a number, in a loop
const/4 v0, 0x0
:turn
const/4 v1, 0x2
if-ge v0, v1, :done
const-string v2, "turn "
invoke-custom {v2, v0}, call_site_0("run", (Ljava/lang/String;I)Ljava/lang/Runnable;, ()V, invoke-static@LCallSites;->body(Ljava/lang/String;I)V, ()V)@Ljava/lang/invoke/LambdaMetafactory;->metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
move-result-object v3
invoke-interface {v3}, Ljava/lang/Runnable;->run()V
add-int/lit8 v0, v0, 0x1
goto :turn
:done
# a function from Integer to Integer by a method from int to long
invoke-custom {}, call_site_1("apply", ()Ljava/util/function/Function;, (Ljava/lang/Object;)Ljava/lang/Object;, invoke-static@LCallSites;->twice(I)J, (Ljava/lang/Integer;)Ljava/lang/Long;)@Ljava/lang/invoke/LambdaMetafactory;->metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
move-result-object v3
const/16 v0, 0x15
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v4
invoke-interface {v3, v4}, Ljava/util/function/Function;->apply(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

# a constructor
invoke-custom {}, call_site_2("apply", ()Ljava/util/function/Function;, (Ljava/lang/Object;)Ljava/lang/Object;, invoke-constructor@Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V, (Ljava/lang/String;)Ljava/lang/StringBuilder;)@Ljava/lang/invoke/LambdaMetafactory;->metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
move-result-object v3
const-string v4, "built"
invoke-interface {v3, v4}, Ljava/util/function/Function;->apply(Ljava/lang/Object;)Ljava/lang/Object;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

# a method of a captured object, which is worked out in the middle
const-string v0, "abcdef"
const/4 v1, 0x2
invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
move-result-object v0
invoke-custom {v0}, call_site_3("getAsInt", (Ljava/lang/String;)Ljava/util/function/IntSupplier;, ()I, invoke-instance@Ljava/lang/String;->length()I, ()I)@Ljava/lang/invoke/LambdaMetafactory;->metafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
move-result-object v3
invoke-interface {v3}, Ljava/util/function/IntSupplier;->getAsInt()I
move-result v0
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

# one that is more than its interface says
invoke-custom {}, call_site_4("get", ()Ljava/util/function/Supplier;, ()Ljava/lang/Object;, invoke-static@LCallSites;->given()Ljava/lang/String;, ()Ljava/lang/String;, 0x3, 0x1, Ljava/lang/Cloneable;)@Ljava/lang/invoke/LambdaMetafactory;->altMetafactory(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;
move-result-object v3
check-cast v3, Ljava/util/function/Supplier;
invoke-interface {v3}, Ljava/util/function/Supplier;->get()Ljava/lang/Object;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

# texts, whose objects say what they are when all is worked out
new-instance v0, Ljava/lang/StringBuilder;
const-string v1, "b"
invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
invoke-static {v0}, LCallSites;->change(Ljava/lang/StringBuilder;)J
move-result-wide v1
const/16 v3, 0x78
const/4 v4, 0x0
invoke-custom/range {v0 .. v4}, call_site_5("makeConcatWithConstants", (Ljava/lang/Object;JCLjava/lang/String;)Ljava/lang/String;, "<\u0001|\u0001|\u0002\u0001>\u0001", "mid")@Ljava/lang/invoke/StringConcatFactory;->makeConcatWithConstants(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

const-string v0, "p"
const/4 v1, -0x1
invoke-custom {v0, v1}, call_site_6("makeConcat", (Ljava/lang/String;B)Ljava/lang/String;)@Ljava/lang/invoke/StringConcatFactory;->makeConcat(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

# what nobody knows
const/4 v0, 0x5
const/4 v1, 0x6
invoke-custom {v0, v1}, call_site_7("added", (II)I, "extra", 0x7)@LCallSites;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;I)Ljava/lang/invoke/CallSite;
move-result v0
invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object v4
invoke-static {v4}, LCallSites;->say(Ljava/lang/Object;)V

const-string v0, "late"
invoke-custom {v0}, call_site_8("said", (Ljava/lang/String;)V, "more", 0x1)@LCallSites;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;I)Ljava/lang/invoke/CallSite;
return-void
.end method
