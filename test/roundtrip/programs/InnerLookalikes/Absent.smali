.class LMain$Absent;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMain;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x0
name = "Absent"
.end annotation
.field final synthetic this$0:LMain;
.method constructor <init>(LMain;)V
.registers 3
iput-object p1, p0, LMain$Absent;->this$0:LMain;
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
return-void
.end method
.method name()Ljava/lang/String;
.registers 2
iget-object v0, p0, LMain$Absent;->this$0:LMain;
if-nez v0, :there
const-string v0, "nobody"
return-object v0
:there
iget-object v0, v0, LMain;->name:Ljava/lang/String;
return-object v0
.end method
