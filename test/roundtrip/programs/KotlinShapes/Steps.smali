.class public final LSteps;
.super Ljava/lang/Object;

# A coroutine: the label says where the next call goes on, in the midst of a loop too.
.field public static final SUSPENDED:Ljava/lang/Object;
.field private label:I
.field private sum:I
.field private at:I

.method static constructor <clinit>()V
.registers 1
const-string v0, "suspended"
sput-object v0, LSteps;->SUSPENDED:Ljava/lang/Object;
return-void
.end method

.method public constructor <init>()V
.registers 1
invoke-direct {p0}, Ljava/lang/Object;-><init>()V
return-void
.end method

.method public final invokeSuspend(Ljava/lang/Object;)Ljava/lang/Object;
.registers 7
sget-object v0, LSteps;->SUSPENDED:Ljava/lang/Object;
iget v1, p0, LSteps;->label:I
const/4 v2, 0x1
const/4 v3, 0x2
if-eqz v1, :start
if-eq v1, v2, :inside
if-ne v1, v3, :bad
iget v1, p0, LSteps;->sum:I
goto :finish
:bad
new-instance p1, Ljava/lang/IllegalStateException;
const-string v0, "call to 'resume' before 'invoke' with coroutine"
invoke-direct {p1, v0}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
throw p1
:start
const/4 v1, 0x0
const/4 p1, 0x0
:loop
const/4 v4, 0x3
if-ge p1, v4, :done
iput v1, p0, LSteps;->sum:I
iput p1, p0, LSteps;->at:I
iput v2, p0, LSteps;->label:I
return-object v0
:inside
iget v1, p0, LSteps;->sum:I
iget p1, p0, LSteps;->at:I
add-int/lit8 p1, p1, 0x1
add-int/2addr v1, p1
goto :loop
:done
iput v1, p0, LSteps;->sum:I
iput v3, p0, LSteps;->label:I
return-object v0
:finish
invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
move-result-object p1
return-object p1
.end method
