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

rule xposed_module : hooking
{
  meta:
    description = "Changes other apps' code as a module of Xposed"
  strings:
    $interface = "Lde/robv/android/xposed/IXposedHookLoadPackage;"
    $helper = "Lde/robv/android/xposed/XposedHelpers;"
  condition:
    dex and all of them
}

rule looks_for_instrumentation : evasion
{
  meta:
    description = "Looks for Frida, Xposed or Substrate before it does its work"
  strings:
    $server = "frida-server"
    $agent = /frida-agent(-32|-64)?(\.so)?/
    $gadget = "frida-gadget"
    $gum = "gum-js-loop"
    $bridge = "de.robv.android.xposed.XposedBridge"
    $substrate = "com.saurik.substrate"
  condition:
    (dex or elf) and 2 of them
}

rule looks_for_emulator : evasion
{
  meta:
    description = "Looks for several signs of an emulator"
  strings:
    $pipe = "/dev/qemu_pipe"
    $socket = "/dev/socket/qemud"
    $property = "ro.kernel.qemu"
    $goldfish = "goldfish"
    $ranchu = "ranchu"
    $genymotion = "/dev/socket/genyd"
    $bluestacks = "com.bluestacks"
    $nox = "com.bignox"
  condition:
    (dex or elf) and 4 of them
}

rule telegram_bot : exfiltration
{
  meta:
    description = "Talks to a bot of Telegram whose key it holds"
  strings:
    $call = "api.telegram.org/bot"
    $key = /\b\d{8,10}:AA[\w-]{33}/
  condition:
    (dex or elf) and all of them
}

rule coin_miner : miner
{
  meta:
    description = "Mines a currency: speaks to a pool in its protocol"
  strings:
    $pool = /stratum\+(tcp|ssl|udp):\/\//
    $login = "mining.authorize"
    $subscribe = "mining.subscribe"
    $xmrig = "xmrig" nocase
    $randomx = "randomx" nocase
    $cryptonight = "cryptonight" nocase
  condition:
    (dex or elf) and 2 of them
}

rule packed_library : packer
{
  meta:
    description = "A native library packed with UPX"
  strings:
    $magic = "UPX!"
  condition:
    elf and ($magic in (0..1024) or $magic in (filesize - 1024..filesize))
}

rule hidden_program : dropper
{
  meta:
    description = "A file that holds an Android program behind one key"
  strings:
    $magic = "dex\n035\x00" xor(0x01-0xff)
    $class = "Landroid/" xor(0x01-0xff)
  condition:
    $magic at 0 and #class > 8
}

rule windows_program : misplaced
{
  meta:
    description = "A program for Windows inside an app"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550
}
