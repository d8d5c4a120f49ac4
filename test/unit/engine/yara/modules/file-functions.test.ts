import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { compileRulesets } from '../../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../../server/engine/yara/engines/wasm-engine.ts';
import { fileTypeOf } from '../../../../../server/engine/yara/modules/file-types.ts';
import { checkRuleset } from '../../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../../server/engine/yara/scan.ts';
import { type ByteSource, fileSource, memorySource } from '../../../../../server/vault/byte-source.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { buildZip } from '../../../../fixtures/zip-builder.ts';

const native = openNativeEngine();
const engines = [openWasmEngine(), ...(native === null ? [] : [native])];
const options = {
  reports: { androguard: null, cuckoo: null, droidbox: null },
  rulesetTimeout: 10_000,
  progress: () => undefined,
};

for (const engine of engines) {
  /** By rule, the files in which it matches. */
  const filesOf = (rules: string) => filesIn(fileSource(realApks.unlock), rules);
  const filesIn = (source: ByteSource, rules: string): Record<string, string[]> => {
    const collection = compileRulesets(engine, [{ id: 'one', rules }]);
    const [outcome] = scanApk(source, collection, options).rulesets;
    assert.deepEqual(outcome!.errors, []);
    const byRule = Map.groupBy(outcome!.rules_matched, ({ name }) => name);
    return Object.fromEntries([...byRule].map(([name, matches]) => [name, matches.map(({ file }) => file)]));
  };

  describe(`functions on each file in the ${engine.name} engine`, () => {
    test('the variables of scanners of folders name the file inside the APK', () => {
      const rules = `
        rule name { condition: filename == "classes.dex" }
        rule path { condition: filepath matches /^META-INF\\// and extension == ".RSA" }
        rule whole { condition: extension == ".apk" and filename == "" }
        rule nameless { condition: extension == "" }
        rule both { strings: $a = "onCreate" condition: $a and filename iendswith ".DEX" }`;
      assert.deepEqual(filesOf(rules), {
        name: ['classes.dex'],
        path: ['META-INF/CERT.RSA'],
        whole: [''],
        both: ['classes.dex'],
      });
    });

    test('names are texts though they say a number or a truth value', () => {
      const entries = ['7', 'true', '007', '-1'].map((name) => ({ name, content: 'x' }));
      const rules = `
        rule number { condition: filename == "7" }
        rule truth { condition: filename iequals "TRUE" }
        rule digits { condition: filename matches /^\\d+$/ and not filepath contains "1" }
        rule turned { condition: "7" != filename and extension == "" and filename != "" }`;
      assert.deepEqual(filesIn(memorySource(buildZip({ entries })), rules), {
        number: ['7'],
        truth: ['true'],
        digits: ['7', '007'],
        turned: ['true', '007', '-1'],
      });
    });

    test('names stand in parentheses and as arguments', () => {
      const entries = ['a.txt', 'b'].map((name) => ({ name, content: 'x' }));
      const rules = `import "hash"
        rule compared { condition: (filename) == "a.txt" or "b" == ((filename)) }
        rule alone { condition: not ((extension)) and (filename) }
        rule argument { condition: hash.md5(filename) == "${createHash('md5').update('a.txt').digest('hex')}" }`;
      assert.deepEqual(filesIn(memorySource(buildZip({ entries })), rules), {
        compared: ['a.txt', 'b'],
        alone: ['b'],
        argument: ['a.txt'],
      });
    });

    test('each of many comparisons with names is made anew for every file', () => {
      const names = Array.from({ length: 30 }, (_, index) => `file ${index}`);
      const entries = [...names, ...names.map((name) => `again/${name}`)].map((name) => ({ name, content: 'x' }));
      const rules = names
        .map((name, index) => `rule r${index} { condition: filename matches /^${name}$/i }`)
        .join('\n');
      const expected = names.map((name, index) => [`r${index}`, [name, `again/${name}`]]);
      assert.deepEqual(filesIn(memorySource(buildZip({ entries })), rules), Object.fromEntries(expected));
    });

    test('types of files and what a dex file defines differ from file to file', () => {
      const rules = `import "magic" import "dex" import "androguard"
        rule package { condition: magic.mime_type() == "application/vnd.android.package-archive" }
        rule code { condition: dex.has_class("Lio/appium/unlock/Unlock;") and not androguard.url(/x/) }
        rule manifest { condition: magic.type() == "Android binary XML" and filename == "AndroidManifest.xml" }`;
      assert.deepEqual(filesOf(rules), { package: [''], code: ['classes.dex'], manifest: ['AndroidManifest.xml'] });
    });

    test('a rule that is called like a variable is meant by its name', () => {
      const files = filesOf('private rule extension { condition: filesize > 30000 } rule r { condition: extension }');
      assert.deepEqual(files, { r: [''] });
    });
  });
}

describe('rules on each file', () => {
  const [engine] = engines;

  test('their author is told once what stands for a name or a type', () => {
    const rules = `import "magic"
      rule r { condition: filename == "a" or filename == "b" or magic.type() contains "c" or magic.type() contains "d" }`;
    const { errors, warnings } = checkRuleset(engine!, rules);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      warnings.map(({ code, line, column }) => [code, line, column]),
      [
        ['file-variable', 2, 27],
        ['file-type', 2, 65],
      ],
    );
  });

  test('what cannot be asked of a dex file is told at its place', () => {
    const first = (condition: string) => {
      const [error] = checkRuleset(engine!, `import "dex" rule r { condition: ${condition} }`).errors;
      return error?.title;
    };
    assert.match(String(first('dex.method.name == "x"')), /is asked by an index/);
    assert.match(String(first('dex.method[filesize].name == "x"')), /a number that is written out/);
    assert.match(String(first('dex.has_method(/(/)')), /invalid regular expression: Unterminated group$/);
    assert.match(String(first('dex.has_method(1)')), /wrong arguments/);
    const nested = `${'dex.string_ids['.repeat(40)}0${'].offset'.repeat(40)} == 1`;
    assert.match(String(first(nested)), /too deep/);
  });

  /** Made by `unzip ApiDemos-debug.apk && file --mime-type -b` on every file, by their extensions. */
  const mimesOfFile: Record<string, string> = {
    apk: 'application/vnd.android.package-archive',
    arsc: 'application/octet-stream',
    bin: 'application/x-java-applet',
    dex: 'application/octet-stream',
    gif: 'image/gif',
    html: 'text/html',
    jpg: 'image/jpeg',
    MF: 'text/plain',
    mp3: 'audio/mpeg',
    ogg: 'audio/ogg',
    png: 'image/png',
    properties: 'text/plain',
    RSA: 'application/octet-stream',
    SF: 'text/plain',
    ttf: 'font/sfnt',
    txt: 'text/plain',
    version: 'text/plain',
  };

  test("types are named in libmagic's words", () => {
    const archive = openZip(fileSource(realApks.apiDemos), new Findings());
    const extensions = new Set<string>();
    for (const entry of archive.entries) {
      const extension = entry.name.split('.').at(-1)!;
      const mime = mimesOfFile[extension];
      if (mime === undefined || entry.name.endsWith('/')) continue;
      extensions.add(extension);
      assert.equal(fileTypeOf(archive.read(entry)).mime, mime, entry.name);
    }
    assert.deepEqual([...extensions].sort(), Object.keys(mimesOfFile).sort());
  });

  /** Made by `yara` 4.2.3 with `console.log(magic.type())` on the files of the unlock APK, without what it says of lines. */
  const typesOfSignature: Record<string, string> = {
    'META-INF/MANIFEST.MF': 'JAR Manifest, ASCII text',
    'META-INF/CERT.SF': 'JAR Signature File, ASCII text',
    'META-INF/CERT.RSA': 'DER Encoded PKCS#7 Signed Data',
  };

  test('the files of a signature have types of their own', () => {
    const archive = openZip(fileSource(realApks.unlock), new Findings());
    const types = archive.entries
      .filter(({ name }) => typesOfSignature[name] !== undefined)
      .map((entry) => [entry.name, fileTypeOf(archive.read(entry)).type]);
    assert.deepEqual(Object.fromEntries(types), typesOfSignature);
  });
});
