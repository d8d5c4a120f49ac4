// Packers and protectors, by the files that they leave in an APK. The names stand in the archive's directory, unpacked.

private rule archive
{
  condition:
    uint16be(0) == 0x504b
}

rule packer_qihoo_jiagu : packer
{
  meta:
    description = "Packed with Qihoo 360 Jiagu"
  strings:
    $library = /(lib\/[\w-]{3,15}|assets)\/libjiagu(_art|_x86|_a64|_x64|_ls)?\.so/
  condition:
    archive and $library
}

rule packer_bangcle : packer
{
  meta:
    description = "Packed with Bangcle (SecNeo)"
  strings:
    $secexe = /lib\/[\w-]{3,15}\/libsec(exe|main)\.so/
    $shell = /(lib\/[\w-]{3,15}|assets)\/lib(SecShell|DexHelper)(-x86)?\.so/
  condition:
    archive and any of them
}

rule packer_tencent_legu : packer
{
  meta:
    description = "Packed with Tencent Legu"
  strings:
    $shell = /lib\/[\w-]{3,15}\/libshell[ax]-\d/
    $data = "assets/tosversion"
    $stub = /assets\/0OO00l111l1l/
  condition:
    archive and any of them
}

rule packer_ijiami : packer
{
  meta:
    description = "Packed with Ijiami"
  strings:
    $data = "assets/ijiami.dat"
    $library = /lib\/[\w-]{3,15}\/libexecmain\.so/
  condition:
    archive and any of them
}

rule packer_baidu : packer
{
  meta:
    description = "Packed with Baidu's protection"
  strings:
    $library = /lib\/[\w-]{3,15}\/libbaiduprotect(_x86)?\.so/
    $jar = /assets\/baiduprotect\d*\.jar/
  condition:
    archive and any of them
}

rule packer_alibaba : packer
{
  meta:
    description = "Packed with Alibaba's protection"
  strings:
    $library = /(lib\/[\w-]{3,15}|assets)\/lib(mobisec|mobisecx1|mobisecy1|mobisecz1|preverify1)\.so/
    $data = "assets/libzuma"
  condition:
    archive and any of them
}

rule packer_netease_yidun : packer
{
  meta:
    description = "Packed with NetEase Yidun"
  strings:
    $library = /lib\/[\w-]{3,15}\/libnesec(-x86)?\.so/
    $data = "assets/nesec"
  condition:
    archive and any of them
}

rule packer_naga : packer
{
  meta:
    description = "Packed with NAGA PT"
  strings:
    $library = /lib\/[\w-]{3,15}\/lib(chaosvmp|ddog|fdog|edog)\.so/
  condition:
    archive and $library
}

rule packer_kiwisec : packer
{
  meta:
    description = "Packed with KiwiSec"
  strings:
    $library = /lib\/[\w-]{3,15}\/libkws(cmm|cr|linker)\.so/
  condition:
    archive and $library
}

rule protector_dexprotector : protector
{
  meta:
    description = "Protected with DexProtector"
  strings:
    $library = /lib\/[\w-]{3,15}\/libdexprotector(\.\w+)?\.so/
    $data = /assets\/dp\.[\w-]{3,12}\.so\.dat/
    $music = "assets/dp.mp3"
  condition:
    archive and any of them
}

rule protector_appsealing : protector
{
  meta:
    description = "Protected with AppSealing"
  strings:
    $library = /lib\/[\w-]{3,15}\/libcovault(-appsec)?\.so/
    $folder = "assets/AppSealing/"
  condition:
    archive and any of them
}

rule protector_liapp : protector
{
  meta:
    description = "Protected with LIAPP"
  strings:
    $egg = /assets\/LIAPP(Egg\.dex|\/)/
    $library = /lib\/[\w-]{3,15}\/libLIAPP\w*\.so/
  condition:
    archive and any of them
}

rule protector_appguard : protector
{
  meta:
    description = "Protected with AppGuard"
  strings:
    $folder = "assets/appguard/"
    $library = /lib\/[\w-]{3,15}\/libAppGuard(-x86)?\.so/
  condition:
    archive and any of them
}
