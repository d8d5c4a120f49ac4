.class public final synthetic Lcom/example/Everything;
.super Lcom/example/Base;
.source "Everything.java"

# interfaces
.implements Ljava/lang/Runnable;
.implements Ljava/io/Serializable;


# annotations
.annotation build Lcom/example/Build;
.end annotation

.annotation runtime Lcom/example/Values;
    aByte = 0x7ft
    aChar = '\u20ac'
    aDouble = 2.718281828459045
    aField = Lcom/example/Everything;->count:I
    aFloat = 3.1415927f
    aLong = 0x7fffffffffffffffL
    aMethod = Lcom/example/Everything;->run()V
    aShort = -0x8000s
    aString = "line\nquote\"back\\slash\u00fc"
    aType = Ljava/lang/String;
    anArray = {
        0x1,
        0x2,
        0x3
    }
    anEnum = .enum Ljava/lang/annotation/RetentionPolicy;->RUNTIME:Ljava/lang/annotation/RetentionPolicy;
    anInt = -0x12345678
    arrayType = [[I
    empty = {}
    huge = 3.4028235E38f
    infinite = Infinity
    minusZero = -0.0
    nested = .subannotation Lcom/example/Inner;
        value = {
            "a",
            "b"
        }
    .end subannotation
    no = false
    notANumber = NaNf
    nothing = null
    quote = '\''
    yes = true
.end annotation

.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Lcom/example/Everything$Inner;
    }
.end annotation


# static fields
.field private static final CHAR:C = 'x'

.field public static final FLOAT:F = 0.1f

.field private static final LAST:B = 0x1t

.field public static final LONG:J = -0x8000000000000000L

.field public static final TEXT:Ljava/lang/String; = "\u4e2d\u6587 \ud83d\ude00"

.field public static volatile count:I


# instance fields
.field protected transient name:Ljava/lang/String;
    .annotation runtime Lcom/example/Build;
        value = 0x5
    .end annotation
.end field


# direct methods
.method static constructor <clinit>()V
    .registers 0

    return-void
.end method

.method public constructor <init>(ILjava/lang/String;J)V
    .registers 8
    .param p1, "number"    # I
    .param p2, "text"    # Ljava/lang/String;
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
    .end local v0    # "local":I
    .local v0, "typed":Ljava/util/List;, "Ljava/util/List<Ljava/lang/String;>;"
    .restart local v0    # "typed":Ljava/util/List;, "Ljava/util/List<Ljava/lang/String;>;"
    return-void
.end method

.method public static flow(I)I
    .registers 4

    :try_start_0
    packed-switch p0, :pswitch_data_1e

    goto :goto_d

    :cond_4
    :pswitch_4
    :sswitch_4
    sparse-switch p0, :sswitch_data_28

    :cond_7
    :pswitch_7
    :sswitch_7
    fill-array-data v0, :array_36

    fill-array-data v0, :array_3c

    :goto_d
    :sswitch_d
    if-eqz p0, :cond_4

    if-ge p0, v0, :cond_7
    :try_end_11
    .catch Ljava/io/IOException; {:try_start_0 .. :try_end_11} :catch_16
    .catch Ljava/lang/RuntimeException; {:try_start_0 .. :try_end_11} :catch_17
    .catchall {:try_start_0 .. :try_end_11} :catchall_1a

    :try_start_11
    invoke-static {}, Lcom/example/Everything;->nothing()V
    :try_end_14
    .catchall {:try_start_11 .. :try_end_14} :catchall_1a

    goto/16 :goto_1c

    :catch_16
    move-exception v1

    :catch_17
    goto/32 :goto_1c

    :catchall_1a
    move-exception v2

    throw v2

    :goto_1c
    return p0

    nop

    :pswitch_data_1e
    .packed-switch -0x1
        :pswitch_4
        :pswitch_7
        :pswitch_4
    .end packed-switch

    :sswitch_data_28
    .sparse-switch
        -0x80000000 -> :sswitch_4
        0x0 -> :sswitch_7
        0x7fffffff -> :sswitch_d
    .end sparse-switch

    :array_36
    .array-data 1
        0x1t
        -0x2t
        0x3t
    .end array-data

    :array_3c
    .array-data 8
        0x1
        -0x1
    .end array-data
.end method

.method public static varargs native nothing()V
.end method


# virtual methods
.method public run()V
    .registers 300

    move/from16 v0, v256

    move-wide/16 v256, v258

    const-wide/high16 v2, 0x4000000000000000L    # 2.0

    const-wide v4, 0x123456789abcdefL

    const-wide/32 v4, -0x80000000

    const/high16 v6, -0x80000000

    const-string v7, "quote \" apostrophe \' tab \t"

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
