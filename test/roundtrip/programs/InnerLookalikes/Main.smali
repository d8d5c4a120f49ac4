.class public LMain;
.super Ljava/lang/Object;
.field static first:LMain;
.field name:Ljava/lang/String;
.method constructor <init>(Ljava/lang/String;)V
.registers 2
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
iput-object p1, p0, LMain;->name:Ljava/lang/String;
return-void
.end method
.method static late(Z)LMain;
.registers 3
if-nez p0, :there
const/4 v0, 0x0
return-object v0
:there
new-instance v0, LMain;
const-string v1, "late"
invoke-direct {v0, v1}, LMain;-><init>(Ljava/lang/String;)V
return-object v0
.end method
.method public static main([Ljava/lang/String;)V
.registers 7
sget-object v2, Ljava/lang/System;->out:Ljava/io/PrintStream;
new-instance v0, LMain;
const-string v1, "around"
invoke-direct {v0, v1}, LMain;-><init>(Ljava/lang/String;)V
sput-object v0, LMain;->first:LMain;
const/4 v5, 0x0
invoke-static {v5}, LMain;->late(Z)LMain;
move-result-object v5
new-instance v1, LMain$Absent;
invoke-direct {v1, v0}, LMain$Absent;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Absent;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LMain$Absent;
invoke-direct {v1, v5}, LMain$Absent;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Absent;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LMain$Seen;
invoke-direct {v1, v0}, LMain$Seen;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Seen;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
iget-object v3, v1, LMain$Seen;->this$0:LMain;
iget-object v3, v3, LMain;->name:Ljava/lang/String;
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LMain$Written;
invoke-direct {v1, v0}, LMain$Written;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Written;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
invoke-virtual {v1}, LMain$Written;->drop()V
invoke-virtual {v1}, LMain$Written;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LMain$Late;
invoke-direct {v1, v0}, LMain$Late;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Late;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
iget-object v3, v1, LMain$Late;->said:Ljava/lang/String;
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v4, LMain;
const-string v1, "second"
invoke-direct {v4, v1}, LMain;-><init>(Ljava/lang/String;)V
new-instance v1, LMain$Other;
invoke-direct {v1, v4}, LMain$Other;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Other;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LMain$Plain;
invoke-direct {v1, v0}, LMain$Plain;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Plain;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
:start
invoke-virtual {v5}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
new-instance v1, LMain$Plain;
invoke-direct {v1, v5}, LMain$Plain;-><init>(LMain;)V
invoke-virtual {v1}, LMain$Plain;->name()Ljava/lang/String;
move-result-object v3
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
:end
return-void
.catch Ljava/lang/NullPointerException; {:start .. :end} :absent
:absent
const-string v3, "npe"
invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
.end method
