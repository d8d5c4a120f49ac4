.class public LRecordCallSites;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
.registers 5
sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
new-instance v1, LRecordCallSites$Point;
const/4 v2, 0x3
const-string v3, "Point"
invoke-direct {v1, v2, v3}, LRecordCallSites$Point;-><init>(ILjava/lang/String;)V
invoke-virtual {v1}, LRecordCallSites$Point;->x()I
move-result v2
invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(I)V
invoke-virtual {v1}, LRecordCallSites$Point;->y()Ljava/lang/String;
move-result-object v2
invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
new-instance v1, LRecordCallSites$Less;
const/4 v2, 0x3
const-string v3, "Less"
invoke-direct {v1, v2, v3}, LRecordCallSites$Less;-><init>(ILjava/lang/String;)V
invoke-virtual {v1}, LRecordCallSites$Less;->x()I
move-result v2
invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(I)V
invoke-virtual {v1}, LRecordCallSites$Less;->y()Ljava/lang/String;
move-result-object v2
invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
return-void
.end method
