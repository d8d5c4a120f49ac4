.class public LMain;
.super Ljava/lang/Object;

# Tests turned round and ends shared, as Kotlin's compiler has them.
.method static shared(Ljava/lang/String;)I
    .registers 2
    invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
    move-result v0
    sparse-switch v0, :keys
    goto :other
    :clash
    const-string v0, "Aa"
    invoke-virtual {p0, v0}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :first
    const-string v0, "BB"
    invoke-virtual {p0, v0}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    const/4 v0, 0x4
    goto :end
    :one
    const-string v0, "one"
    invoke-virtual {p0, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    goto :second
    :two
    const-string v0, "two"
    invoke-virtual {p0, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    :second
    const/4 v0, 0x2
    goto :end
    :first
    const/4 v0, 0x3
    goto :end
    :other
    const/4 v0, -0x1
    :end
    return v0
    :keys
    .sparse-switch
        0x840 -> :clash
        0x1ae66 -> :one
        0x1c24c -> :two
    .end sparse-switch
.end method

# What is left of a small switch: the hash code is compared, a number says which, and that is compared.
.method static ladder(Ljava/lang/String;)Ljava/lang/String;
    .registers 4
    const/4 v1, -0x1
    invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
    move-result v0
    const/16 v2, 0x61
    if-eq v0, v2, :a
    const/16 v2, 0x62
    if-ne v0, v2, :chosen
    const-string v2, "b"
    invoke-virtual {p0, v2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-eqz v2, :chosen
    const/4 v1, 0x1
    goto :chosen
    :a
    const-string v2, "a"
    invoke-virtual {p0, v2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-eqz v2, :chosen
    const/4 v1, 0x0
    :chosen
    packed-switch v1, :numbers
    const-string v0, "none"
    return-object v0
    :zero
    const-string v0, "the first"
    return-object v0
    :one
    const-string v0, "the second"
    return-object v0
    :numbers
    .packed-switch 0x0
        :zero
        :one
    .end packed-switch
.end method

# A number that stands for null besides.
.method static orNull(Ljava/lang/String;)Ljava/lang/String;
    .registers 3
    if-nez p0, :asked
    const/4 v0, -0x1
    goto :known
    :asked
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    :known
    packed-switch v0, :numbers
    const-string v1, "long"
    return-object v1
    :none
    const-string v1, "null"
    return-object v1
    :empty
    const-string v1, "empty"
    return-object v1
    :numbers
    .packed-switch -0x1
        :none
        :empty
    .end packed-switch
.end method

# No such switch: a text that has another hash code is never found.
.method static otherHash(Ljava/lang/String;)I
    .registers 3
    invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
    move-result v0
    packed-switch v0, :keys
    const/4 v0, 0x0
    return v0
    :key
    const-string v1, "z"
    invoke-virtual {p0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-eqz v1, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x2
    return v0
    :keys
    .packed-switch 0x61
        :key
    .end packed-switch
.end method

# Nor this: what has the hash code of a text and is another one goes elsewhere than all others.
.method static otherWay(Ljava/lang/String;)I
    .registers 3
    invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
    move-result v0
    sparse-switch v0, :keys
    const/4 v0, 0x0
    return v0
    :key
    const-string v1, "Aa"
    invoke-virtual {p0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-eqz v1, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x2
    return v0
    :keys
    .sparse-switch
        0x840 -> :key
    .end sparse-switch
.end method

# Nor this: the hash code is looked at behind.
.method static kept(Ljava/lang/String;)I
    .registers 4
    invoke-virtual {p0}, Ljava/lang/String;->hashCode()I
    move-result v0
    const/16 v2, 0x61
    if-eq v0, v2, :a
    const/16 v2, 0x62
    if-ne v0, v2, :no
    const-string v1, "b"
    goto :ask
    :a
    const-string v1, "a"
    :ask
    invoke-virtual {p0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-eqz v1, :no
    add-int/lit8 v0, v0, 0x64
    :no
    return v0
.end method

.method static tell(Ljava/lang/String;)V
    .registers 4
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v1, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->shared(Ljava/lang/String;)I
    move-result v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->ladder(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->orNull(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->otherHash(Ljava/lang/String;)I
    move-result v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->otherWay(Ljava/lang/String;)I
    move-result v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-static {p0}, LMain;->kept(Ljava/lang/String;)I
    move-result v2
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public static main([Ljava/lang/String;)V
    .registers 4
    const-string v0, "Aa BB one two a b z C# "
    const-string v1, " "
    invoke-virtual {v0, v1}, Ljava/lang/String;->split(Ljava/lang/String;)[Ljava/lang/String;
    move-result-object v0
    array-length v1, v0
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :done
    aget-object v3, v0, v2
    invoke-static {v3}, LMain;->tell(Ljava/lang/String;)V
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    const/4 v0, 0x0
    invoke-static {v0}, LMain;->orNull(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sget-object v1, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    const-string v0, ""
    invoke-static {v0}, LMain;->orNull(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    :start
    const/4 v0, 0x0
    invoke-static {v0}, LMain;->shared(Ljava/lang/String;)I
    :end
    .catch Ljava/lang/NullPointerException; {:start .. :end} :caught
    return-void
    :caught
    move-exception v0
    const-string v0, "nobody hashes null"
    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
