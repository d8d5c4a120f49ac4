// What rules ask of each file by itself, beside Debian's yara: its type, and what its module `dex` knows.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/engines/wasm-engine.ts';
import { fileSource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { debianMatchesIn } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';

const native = openNativeEngine();
const engines = [openWasmEngine(), ...(native === null ? [] : [native])];
const folder = mkdtempSync(join(tmpdir(), 'yara-file-functions-'));
after(() => rmSync(folder, { recursive: true }));

const archive = openZip(fileSource(realApks.unlock), new Findings());
const entry = (name: string) => Buffer.from(archive.read(archive.entries.find((other) => other.name === name)!));
/** A dex file with another number at a place of its header. */
function dexWith(offset: number, value: number): Buffer {
  const dex = entry('classes.dex');
  dex.writeUInt32LE(value, offset);
  return dex;
}
const samples: Record<string, Buffer> = {
  apk: readFileSync(realApks.unlock),
  dex: entry('classes.dex'),
  'cut-dex': entry('classes.dex').subarray(0, 0x60),
  'dex-with-long-header': dexWith(36, 0x80),
  'dex-of-other-endianness': dexWith(40, 0x78563412),
  'dex-with-link': dexWith(44, 1),
  'dex-that-calls-itself-longer': dexWith(32, 0xffff_ffff),
  manifest: entry('AndroidManifest.xml'),
  text: Buffer.from('a line of text\n'),
  program: readFileSync(process.execPath).subarray(0, 4096),
};

const conditions: Record<string, string> = {
  'the header of a dex file, its magic a text': `
    dex.header.magic == dex.DEX_FILE_MAGIC_035
    dex.header.magic contains "035" or dex.header.magic == "dex\\n036"
    dex.header.string_ids_size > 10 and dex.header.string_ids_offset == 0x70
    dex.header.map_offset > 0 and dex.header.link_offset == 0 and dex.header.data_offset > 0x70
    not dex.header.map_offset > 0
    dex.header.endian_tag == dex.ENDIAN_CONSTANT and dex.NO_INDEX == 0xffffffff
    uint32(dex.header.map_offset) == dex.map_list.size`,
  'what is unusual in the header of a dex file': `
    dex.header.header_size != 0x70
    dex.header.link_size != 0
    dex.header.file_size != filesize
    dex.header.endian_tag != dex.ENDIAN_CONSTANT
    dex.header.data_size > 0 and uint32(dex.header.data_offset + dex.header.data_size - 4) >= 0
    dex.header.checksum > 0 and dex.map_list.size > 5
    dex.header.magic matches /^dex/ and not dex.header.magic matches /x$/`,
  'what a file lacks is undefined': `
    dex.header.magic != "x"
    not dex.header.magic contains "x"
    dex.method[0].name
    dex.method[0].name != "x" or false
    dex.method[99999].name != "x"
    not (dex.method[99999].name matches /x/)
    not dex.string_ids[99999].value contains "x"
    defined dex.method[0].name
    defined dex.method[99999].name
    elf.symtab_entries == 0
    not elf.symtab_entries > 0
    not elf.dynsym_entries > 0`,
  'methods and classes that a dex file defines': `
    dex.has_method("onCreate")
    dex.has_method("oncreate")
    dex.has_method(/^on[A-Z]/)
    dex.has_method("Lio/appium/unlock/Unlock;", "onCreate")
    dex.has_method(/Unlock/, /^onCreate$/)
    dex.has_class("Lio/appium/unlock/Unlock;")
    dex.has_class(/java\\/lang/)
    not dex.has_method("nothing")
    dex.has_method("nothing") == 0
    defined dex.number_of_methods
    dex.number_of_methods > 5 and dex.number_of_fields > 5
    not dex.number_of_fields > 1000`,
  'tables of a dex file by their index, within loops too': `
    for any i in (0..dex.header.string_ids_size - 1) : (dex.string_ids[i].offset + dex.string_ids[i].size + 2 != dex.string_ids[i + 1].offset)
    for all i in (0..dex.header.string_ids_size - 2) : (dex.string_ids[i].offset + dex.string_ids[i].size + 2 == dex.string_ids[i + 1].offset)
    for any i in (0..dex.map_list.size) : (dex.map_list.map_item[i].type == dex.TYPE_CLASS_DATA_ITEM)
    for any i in (0..dex.header.class_defs_size - 1) : (dex.class_defs[i].interfaces_offset == 0)
    dex.string_ids[dex.type_ids[1].descriptor_idx].size > 1
    dex.class_defs[dex.header.class_defs_size - 1].class_idx > 0
    not dex.class_defs[dex.header.class_defs_size].class_idx >= 0
    dex.field_ids[0].class_idx > 0 and dex.method_ids[1].proto_idx > 0 and dex.proto_ids[0].shorty_idx > 0
    dex.string_ids[99999].offset == 0 or not dex.string_ids[99999].offset == 0`,
  'members and strings of a dex file by a number': `
    dex.string_ids[0].value == ""
    dex.string_ids[1].value contains "<"
    dex.method[0].name == "<init>" and dex.method[0].direct == 1 and dex.method[0].virtual == 0
    dex.method[0].class_name contains "unlock" and dex.method[0].proto == "V" and dex.method[0].code_off > 0
    dex.field[0].name matches /./ and dex.field[0].access_flags & dex.ACC_STATIC
    dex.method[99999].name == "x"
    not dex.field[99999].access_flags > 0
    dex.method[0].name icontains "INIT" and dex.method[0].name matches /^<\\w+>$/ and "<init>" == dex.method[0].name
    dex.method[0].method_idx_diff >= 0 and dex.method[1].method_idx_diff > 0 and dex.field[0].field_idx_diff >= 0`,
  'the code of methods': `
    dex.method[0].code_item.registers_size > 0 and dex.method[0].code_item.ins_size == 1
    dex.method[0].code_item.outs_size == 1 and dex.method[0].code_item.tries_size == 0
    dex.method[0].code_item.debug_info_off > 0 and dex.method[0].code_item.insns_size == 4
    not dex.method[99999].code_item.insns_size > 4
    for any m in dex.method : (m.code_item.insns_size > 20)
    for all i in (0..dex.number_of_methods - 1) : (dex.method[i].code_item.registers_size >= 1 or dex.method[i].access_flags & 0x400)
    for any i in (0..dex.number_of_methods) : (dex.method[i].code_item.outs_size == 2 and dex.method[i].name != "<init>")
    for 3 i in (0..dex.number_of_methods) : (not dex.method[i].code_item.tries_size > 0)`,
  'types of files': `
    magic.mime_type() == "application/vnd.android.package-archive"
    magic.mime_type() == "text/plain" and magic.type() contains "ASCII"
    magic.type() contains "Dalvik dex file version 035"
    magic.type() startswith "ELF 64-bit LSB"
    not magic.type() contains "ELF"
    magic.type() == "Android binary XML"`,
};

for (const engine of engines) {
  describe(`functions on each file in the ${engine.name} engine`, () => {
    for (const [name, lines] of Object.entries(conditions)) {
      test(name, { ...systemTool('yara') }, () => {
        const all = lines.trim().split('\n');
        const rules = [
          'import "dex" import "elf" import "magic"',
          ...all.map((condition, index) => `rule r${index} { condition: ${condition.trim()} }`),
        ].join('\n');
        const rulesFile = join(folder, 'rules.yar');
        writeFileSync(rulesFile, rules);
        const bytesFolder = join(folder, 'bytes');
        mkdirSync(bytesFolder, { recursive: true });
        for (const [sample, bytes] of Object.entries(samples)) writeFileSync(join(bytesFolder, sample), bytes);
        const theirs = debianMatchesIn([rulesFile], bytesFolder);
        assert.notEqual(theirs, null, 'yara does not take the rules');
        const matcher = matcherOf(engine, [{ id: name, rules }], 60_000);
        if ('error' in matcher) assert.fail(matcher.error);
        for (const [sample, bytes] of Object.entries(samples)) {
          assert.deepEqual(matcher.match(bytes), theirs!(sample), `${sample}\n${rules}`);
        }
      });
    }
  });
}
