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
    $older = /lib\/[\w-]{3,15}\/libprotectClass\.so/
  condition:
    archive and any of them
}

rule packer_bangcle : packer
{
  meta:
    description = "Packed with Bangcle (SecNeo)"
  strings:
    $secexe = /lib\/[\w-]{3,15}\/libsec(exe|main)\.so/
    $shell = /(lib\/[\w-]{3,15}|assets)\/lib(SecShell|DexHelper)(-x86|_art)?\.so/
    $jar = "assets/secData0.jar"
  condition:
    archive and any of them
}

rule packer_tencent_legu : packer
{
  meta:
    description = "Packed with Tencent Legu"
  strings:
    $shell = /lib\/[\w-]{3,15}\/libshell[ax]-\d/
    $newer = /(lib\/[\w-]{3,15}|assets)\/libshellx?-super\.\d{4}\.so/
    $library = /(lib\/[\w-]{3,15}|assets)\/lib(tosprotection(\.[\w-]{3,12})?|legudb)\.so/
    $mixed = /lib\/[\w-]{3,15}\/mixz?\.dex/
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
    $data = /assets\/ijiami\.(dat|ajm)/
    $folder = "assets/ijm_lib/"
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
    $library = /(lib\/[\w-]{3,15}|assets)\/lib(mobisec([xyz]1?)?|preverify1|demolish|demolishdata)\.so/
    $data = /assets\/(libzuma|aliprotect\.dat)/
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

rule packer_apkprotect : packer
{
  meta:
    description = "Packed with APKProtect"
  strings:
    $library = /lib\/[\w-]{3,15}\/libAPKProtect(_x86)?\.so/
    $folder = "apkprotect.com/key.dat"
  condition:
    archive and any of them
}

rule packer_payegis : packer
{
  meta:
    description = "Packed with PayEgis"
  strings:
    $library = /lib\/[\w-]{3,15}\/lib(egis(boot|main)?(-x86)?|NSaferOnly)\.so/
  condition:
    archive and $library
}

rule packer_dingxiang : packer
{
  meta:
    description = "Packed with Dingxiang"
  strings:
    $library = /lib\/[\w-]{3,15}\/libx3g\.so/
  condition:
    archive and $library
}

rule packer_nqshield : packer
{
  meta:
    description = "Packed with NQ Shield"
  strings:
    $library = /lib\/[\w-]{3,15}\/libnqshield(x86)?\.so/
  condition:
    archive and $library
}

rule packer_uusafe : packer
{
  meta:
    description = "Packed with UU Safe"
  strings:
    $library = /lib\/[\w-]{3,15}\/libuusafe(empty)?\.so/
    $jar = "assets/libuusafe.jar.so"
  condition:
    archive and any of them
}

rule packer_rising : packer
{
  meta:
    description = "Packed with Rising"
  strings:
    $library = /lib\/[\w-]{3,15}\/librsprotect\.so/
  condition:
    archive and $library
}

rule packer_venustech : packer
{
  meta:
    description = "Packed with Venustech"
  strings:
    $library = /lib\/[\w-]{3,15}\/libvenustech\.so/
  condition:
    archive and $library
}

rule packer_apktoolplus : packer
{
  meta:
    description = "Packed with ApkToolPlus"
  strings:
    $library = /lib\/[\w-]{3,15}\/libapktoolplus_jiagu\.so/
    $data = "assets/jiagu_data.bin"
  condition:
    archive and any of them
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

rule protector_pairip : protector
{
  meta:
    description = "Protected by Google Play when it was published"
  strings:
    $library = /lib\/[\w-]{3,15}\/libpairipcore\.so/
  condition:
    archive and $library
}

rule protector_appsuit : protector
{
  meta:
    description = "Protected with AppSuit"
  strings:
    $library = /lib\/[\w-]{3,15}\/libAppSuit\.so/
  condition:
    archive and $library
}

rule protector_eversafe : protector
{
  meta:
    description = "Protected with Eversafe"
  strings:
    $library = /lib\/[\w-]{3,15}\/lib[Ee]versafe(-loader)?\.so/
  condition:
    archive and $library
}

rule protector_tencent_games : protector
{
  meta:
    description = "Protected with Tencent's protection of games"
  strings:
    $library = /lib\/[\w-]{3,15}\/lib(tersafe2?|tprt)\.so/
  condition:
    archive and $library
}

rule protector_ixshield : protector
{
  meta:
    description = "Protected with Ixshield or DxShield"
  strings:
    $library = /lib\/[\w-]{3,15}\/lib(ixshield|dxshield|dxbase)\.so/
  condition:
    archive and $library
}

rule protector_promon : protector
{
  meta:
    description = "Protected with Promon SHIELD"
  strings:
    $library = /lib\/[\w-]{3,15}\/libshield\.so/
    $data = "assets/pbi.bin"
  condition:
    archive and all of them
}

rule protector_nprotect : protector
{
  meta:
    description = "Protected with nProtect AppGuard"
  strings:
    $settings = "assets/agconfig"
    $facts = "assets/agmetainfo"
  condition:
    archive and all of them
}
