.class public LMain;
.super Ljava/lang/Object;
.method static written(LMain$E;)Ljava/lang/String;
.registers 3
sget-object v0, LMain$1;->$SwitchMap$written:[I
invoke-virtual {p0}, LMain$E;->ordinal()I
move-result v1
aget v0, v0, v1
packed-switch v0, :table
const-string v0, "written other"
return-object v0
:a
const-string v0, "written a"
return-object v0
:b
const-string v0, "written b"
return-object v0
:table
.packed-switch 0x1
:a
:b
.end packed-switch
.end method
.method static passed(LMain$E;)Ljava/lang/String;
.registers 3
sget-object v0, LMain$1;->$SwitchMap$passed:[I
invoke-virtual {p0}, LMain$E;->ordinal()I
move-result v1
aget v0, v0, v1
packed-switch v0, :table
const-string v0, "passed other"
return-object v0
:a
const-string v0, "passed a"
return-object v0
:b
const-string v0, "passed b"
return-object v0
:table
.packed-switch 0x1
:a
:b
.end packed-switch
.end method
.method static plain(LMain$E;)Ljava/lang/String;
.registers 3
sget-object v0, LMain$1;->$SwitchMap$plain:[I
invoke-virtual {p0}, LMain$E;->ordinal()I
move-result v1
aget v0, v0, v1
packed-switch v0, :table
const-string v0, "plain other"
return-object v0
:a
const-string v0, "plain a"
return-object v0
:b
const-string v0, "plain b"
return-object v0
:table
.packed-switch 0x1
:a
:b
.end packed-switch
.end method
.method static fill([I)V
.registers 3
const/4 v0, 0x0
const/4 v1, 0x2
aput v1, p0, v0
return-void
.end method
.method public static main([Ljava/lang/String;)V
.registers 5
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->written(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->written(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->passed(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->passed(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->plain(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->plain(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$1;->$SwitchMap$written:[I
const/4 v2, 0x0
const/4 v3, 0x5
aput v3, v1, v2
sget-object v1, LMain$1;->$SwitchMap$passed:[I
invoke-static {v1}, LMain;->fill([I)V
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->written(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->written(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->passed(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->passed(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->A:LMain$E;
invoke-static {v1}, LMain;->plain(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
sget-object v1, LMain$E;->B:LMain$E;
invoke-static {v1}, LMain;->plain(LMain$E;)Ljava/lang/String;
move-result-object v1
invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
.end method
