// What an app's own files hold: code and native libraries, each looked at by itself.

private rule dex
{
  strings:
    $magic = "dex\n0"
  condition:
    $magic at 0
}

private rule elf
{
  condition:
    uint32be(0) == 0x7f454c46
}

rule root_tools : root
{
  meta:
    description = "Names several places of su and of tools that root a device"
  strings:
    $sbin = "/sbin/su"
    $bin = "/system/bin/su"
    $xbin = "/system/xbin/su"
    $superuser = "/system/app/Superuser.apk"
    $magisk = "com.topjohnwu.magisk"
    $supersu = "eu.chainfire.supersu"
  condition:
    (dex or elf) and 3 of them
}

rule hidden_dex_loader : loader
{
  meta:
    description = "Decrypts something and loads it as code"
  strings:
    $loader = /Ldalvik\/system\/(InMemory|Path)?DexClassLoader;/
    $cipher = "Ljavax/crypto/Cipher;"
    $assets = "Landroid/content/res/AssetManager;"
    $reflection = "Ljava/lang/reflect/Method;"
  condition:
    dex and all of them
}

rule tracker_code : tracker
{
  meta:
    description = "Contains an advertising or analytics kit"
  strings:
    $facebook = "Lcom/facebook/appevents/"
    $adjust = "Lcom/adjust/sdk/"
    $appsflyer = "Lcom/appsflyer/"
    $flurry = "Lcom/flurry/sdk/"
    $umeng = "Lcom/umeng/analytics/"
    $admob = "Lcom/google/android/gms/ads/"
  condition:
    dex and any of them
}
