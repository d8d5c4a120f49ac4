.class public final synthetic Lcom/example/Everything;
.super Lcom/example/Base;
.source "Everything.java"
.implements Ljava/lang/Runnable;
.implements Ljava/io/Serializable;

.annotation runtime Lcom/example/Values;
    aByte = 0x7ft
    aShort = -0x8000s
    aChar = '\u20ac'
    quote = '\''
    anInt = -0x12345678
    aLong = 0x7fffffffffffffffL
    aFloat = 3.1415927f
    huge = 3.4028235E38f
    aDouble = 2.718281828459045
    minusZero = -0.0
    infinite = Infinity
    notANumber = NaNf
    aString = "line\nquote\"back\\slash\u00fc"
    aType = Ljava/lang/String;
    arrayType = [[I
    aField = Lcom/example/Everything;->count:I
    aMethod = Lcom/example/Everything;->run()V
    anEnum = .enum Ljava/lang/annotation/RetentionPolicy;->RUNTIME:Ljava/lang/annotation/RetentionPolicy;
    anArray = {
        0x1,
        0x2,
        0x3
    }
    empty = {}
    nested = .subannotation Lcom/example/Inner;
        value = {
            "a",
            "b"
        }
    .end subannotation
    yes = true
    no = false
    nothing = null
.end annotation

.annotation build Lcom/example/Build;
.end annotation

.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Lcom/example/Everything$Inner;
    }
.end annotation

.field public static final LONG:J = -0x8000000000000000L
.field public static final TEXT:Ljava/lang/String; = "\u4e2d\u6587 \ud83d\ude00"
.field public static final FLOAT:F = 0.1f
.field public static volatile count:I
.field private static final CHAR:C = 'x'
.field private static final LAST:B = 0x1t

.field protected transient name:Ljava/lang/String;
    .annotation runtime Lcom/example/Build;
        value = 0x5
    .end annotation
.end field

.method static constructor <clinit>()V
    .registers 0
    return-void
.end method

.method public constructor <init>(ILjava/lang/String;J)V
    .registers 8
    .param p1, "number"
    .param p2, "text"
        .annotation runtime Lcom/example/Build;
        .end annotation
    .end param
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    .prologue
    .line 100
    invoke-direct {p0}, Lcom/example/Base;-><init>()V
    .line 65536
    .local v0, "local":I
    const/4 v0, -0x8
    .line 3
    .end local v0
    .local v0, "typed":Ljava/util/List;, "Ljava/util/List<Ljava/lang/String;>;"
    .restart local v0
    return-void
.end method

.method public static flow(I)I
    .registers 4
    :try_start_0
    packed-switch p0, :packed
    goto :after
    :one
    sparse-switch p0, :sparse
    :two
    fill-array-data v0, :bytes
    fill-array-data v0, :longs
    :after
    if-eqz p0, :one
    if-ge p0, v0, :two
    :try_end_0
    .catch Ljava/io/IOException; {:try_start_0 .. :try_end_0} :handler
    .catch Ljava/lang/RuntimeException; {:try_start_0 .. :try_end_0} :other
    .catchall {:try_start_0 .. :try_end_0} :all
    :try_start_1
    invoke-static {}, Lcom/example/Everything;->nothing()V
    :try_end_1
    .catchall {:try_start_1 .. :try_end_1} :all
    goto/16 :end
    :handler
    move-exception v1
    :other
    goto/32 :end
    :all
    move-exception v2
    throw v2
    :end
    return p0
    :packed
    .packed-switch -0x1
        :one
        :two
        :one
    .end packed-switch
    :sparse
    .sparse-switch
        -0x80000000 -> :one
        0x0 -> :two
        0x7fffffff -> :after
    .end sparse-switch
    :bytes
    .array-data 1
        0x1t
        -0x2t
        0x3t
    .end array-data
    :longs
    .array-data 8
        0x1L
        -0x1L
    .end array-data
.end method

.method public static varargs native nothing()V
.end method

.method public run()V
    .registers 300
    move/from16 v0, v256
    move-wide/16 v256, v258
    const-wide/high16 v2, 0x4000000000000000L
    const-wide v4, 0x123456789abcdefL
    const-wide/32 v4, -0x80000000
    const/high16 v6, -0x80000000
    const-string v7, "quote \" apostrophe ' tab \t"
    const-class v8, [Lcom/example/Everything;
    filled-new-array {v0, v1}, [I
    filled-new-array/range {v256 .. v260}, [I
    invoke-virtual/range {v10 .. v10}, Ljava/lang/Object;->hashCode()I
    invoke-polymorphic {v0, v1}, Ljava/lang/invoke/MethodHandle;->invoke([Ljava/lang/Object;)Ljava/lang/Object;, (I)V
    invoke-polymorphic/range {v0 .. v1}, Ljava/lang/invoke/MethodHandle;->invokeExact([Ljava/lang/Object;)Ljava/lang/Object;, (I)V
    invoke-custom {v0}, call_site_0("dynamic", (I)V, 0x5, "argument", Ljava/lang/String;, (J)I, invoke-static@Lcom/example/Everything;->flow(I)I)@Lcom/example/Everything;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    const-method-handle v0, static-get@Lcom/example/Everything;->count:I
    const-method-handle v0, invoke-interface@Ljava/lang/Runnable;->run()V
    const-method-type v0, (Ljava/lang/String;[I)J
    add-int/lit16 v0, v1, -0x8000
    ushr-int/lit8 v0, v1, -0x80
    sget-object v0, Lcom/example/Everything;->TEXT:Ljava/lang/String;
    return-void
.end method
