.class synthetic LMain$1;
.super Ljava/lang/Object;
.annotation system Ldalvik/annotation/EnclosingClass;
value = LMain;
.end annotation
.annotation system Ldalvik/annotation/InnerClass;
accessFlags = 0x1008
name = null
.end annotation
.field static final synthetic $SwitchMap$written:[I
.field static final synthetic $SwitchMap$passed:[I
.field static final synthetic $SwitchMap$plain:[I
.method static constructor <clinit>()V
.registers 3
invoke-static {}, LMain$E;->values()[LMain$E;
move-result-object v0
array-length v0, v0
new-array v0, v0, [I
sput-object v0, LMain$1;->$SwitchMap$written:[I
sget-object v1, LMain$E;->A:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x1
aput v2, v0, v1
sget-object v1, LMain$E;->B:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x2
aput v2, v0, v1
invoke-static {}, LMain$E;->values()[LMain$E;
move-result-object v0
array-length v0, v0
new-array v0, v0, [I
sput-object v0, LMain$1;->$SwitchMap$passed:[I
sget-object v1, LMain$E;->A:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x1
aput v2, v0, v1
sget-object v1, LMain$E;->B:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x2
aput v2, v0, v1
invoke-static {}, LMain$E;->values()[LMain$E;
move-result-object v0
array-length v0, v0
new-array v0, v0, [I
sput-object v0, LMain$1;->$SwitchMap$plain:[I
sget-object v1, LMain$E;->A:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x1
aput v2, v0, v1
sget-object v1, LMain$E;->B:LMain$E;
invoke-virtual {v1}, LMain$E;->ordinal()I
move-result v1
const/4 v2, 0x2
aput v2, v0, v1
return-void
.end method
