# Anonymous classes by which compilers tell constructors from private ones, and one that a lambda in it names.
.class public LMarkedConstructors;
.super Ljava/lang/Object;
.method public constructor <init>()V
.registers 5
move-object v0, v4
invoke-direct {v0}, Ljava/lang/Object;-><init>()V
return-void
.end method
.method static job(Ljava/lang/String;)LMarkedConstructors$Job;
.registers 7
.param p0, "text"
new-instance v0, LMarkedConstructors$1;
move-object v1, v0
move-object v0, v1
move-object v2, v6
invoke-direct {v1, v2}, LMarkedConstructors$1;-><init>(Ljava/lang/String;)V
return-object v0
.end method
.method public static main([Ljava/lang/String;)V
.registers 11
.param p0, "arguments"
const-string v0, "a"
invoke-static {v0}, LMarkedConstructors;->job(Ljava/lang/String;)LMarkedConstructors$Job;
move-result-object v0
move-object v8, v0
.local v8, "job":LMarkedConstructors$Job;
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
move-object v1, v8
const v2, 0x2
invoke-interface {v1, v2}, LMarkedConstructors$Job;->go(I)Ljava/lang/Object;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
move-object v1, v8
const v2, 0x3
invoke-interface {v1, v2}, LMarkedConstructors$Job;->go(I)Ljava/lang/Object;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
const v0, 0x0
move v9, v0
.local v9, "i":I
:L34
move v0, v9
const v1, 0x2
if-ge v0, v1, :L60
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
new-instance v1, LMarkedConstructors$Twice;
move-object v2, v1
move-object v1, v2
move v3, v9
const/4 v4, 0x0
invoke-direct {v2, v3, v4}, LMarkedConstructors$Twice;-><init>(ILMarkedConstructors$1;)V
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
add-int/lit8 v9, v9, 0x1
goto/32 :L34
:L60
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
new-instance v1, LMarkedConstructors$Twice;
move-object v2, v1
move-object v1, v2
const v3, 0x4
const/4 v4, 0x0
invoke-direct {v2, v3, v4}, LMarkedConstructors$Twice;-><init>(ILjava/lang/Object;)V
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
const-string v0, "b"
invoke-static {v0}, LMarkedConstructors;->later(Ljava/lang/String;)LMarkedConstructors$Job;
move-result-object v0
move-object v9, v0
.local v9, "later":LMarkedConstructors$Job;
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
move-object v1, v9
const v2, 0x1
invoke-interface {v1, v2}, LMarkedConstructors$Job;->go(I)Ljava/lang/Object;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
move-object v1, v9
const v2, 0x5
invoke-interface {v1, v2}, LMarkedConstructors$Job;->go(I)Ljava/lang/Object;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
return-void
.end method
.method static later(Ljava/lang/String;)LMarkedConstructors$Job;
.registers 7
.param p0, "text"
new-instance v0, LMarkedConstructors$2;
move-object v1, v0
move-object v0, v1
move-object v2, v6
invoke-direct {v1, v2}, LMarkedConstructors$2;-><init>(Ljava/lang/String;)V
return-object v0
.end method
