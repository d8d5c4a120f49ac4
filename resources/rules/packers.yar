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
