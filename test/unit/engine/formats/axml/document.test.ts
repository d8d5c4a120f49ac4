// How binary XML is read where it keeps the rules and where it breaks them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { isElement, parseBinaryXml, type XmlElement } from '../../../../../server/engine/formats/axml/document.ts';
import { FormatError } from '../../../../../server/engine/formats/byte-reader.ts';
import { attributeId, buildAxml, type ElementSpec, element, type Piece } from '../../../../fixtures/axml-builder.ts';
import { chunk, stringPool, u16, u32 } from '../../../../fixtures/chunk-writer.ts';

const manifest = element(
  'manifest',
  { package: 'org.example', 'android:versionCode': 7 },
  element(
    'application',
    { 'android:label': 'Näme 😀', 'android:debuggable': true },
    element('activity', { 'android:name': '.Main' }),
  ),
);

function parse(bytes: Uint8Array): { root: XmlElement; codes: string[]; document: ReturnType<typeof parseBinaryXml> } {
  const findings = new Findings();
  const document = parseBinaryXml(bytes, findings);
  return { root: document.root!, codes: findings.list().map((finding) => finding.code), document };
}

const names = (root: XmlElement): string[] => [root.name, ...root.children.filter(isElement).flatMap(names)];
const attribute = (root: XmlElement, name: string) => root.attributes.find((each) => each.name === name);
const application = (root: XmlElement) =>
  root.children.filter(isElement).find((child) => child.name === 'application')!;

for (const utf8 of [true, false]) {
  test(`elements, attributes and strings are read from a ${utf8 ? 'UTF-8' : 'UTF-16'} pool without a finding`, () => {
    const { root, codes } = parse(buildAxml(manifest, { pool: { utf8 } }));
    assert.deepEqual(names(root), ['manifest', 'application', 'activity']);
    assert.equal(attribute(root, 'package')?.text, 'org.example');
    assert.equal(attribute(root, 'versionCode')?.data, 7);
    assert.equal(attribute(application(root), 'label')?.text, 'Näme 😀');
    assert.equal(attribute(application(root), 'debuggable')?.resourceId, 0x0101000f);
    assert.deepEqual(codes, []);
  });

  test(`strings longer than one length unit are read from a ${utf8 ? 'UTF-8' : 'UTF-16'} pool`, () => {
    for (const length of [127, 128, 300, 32767, 32768, 70000]) {
      const long = 'x'.repeat(length);
      const { root } = parse(buildAxml(element('manifest', { package: long }), { pool: { utf8 } }));
      assert.equal(attribute(root, 'package')?.text?.length, length);
    }
  });
}

test('attributes behind one of a higher id are read and reported: Android has gone past them', () => {
  const activity = (...attributes: string[]) =>
    parse(buildAxml(element('activity', Object.fromEntries(attributes.map((name) => [name, 'value'])))));
  for (const sorted of [
    ['android:label', 'android:name', 'android:exported'],
    ['package', 'android:name', 'split', 'android:exported'],
  ]) {
    assert.deepEqual(activity(...sorted).codes, []);
  }
  const { root, codes } = activity('android:exported', 'package', 'android:name', 'android:permission');
  assert.deepEqual(codes, ['axml-attribute-order', 'axml-attribute-order']);
  assert.equal(attribute(root, 'name')?.text, 'value');
  const twice = { name: 'android:name', value: 'value' };
  assert.deepEqual(parse(buildAxml({ name: 'activity', attributes: [twice, twice] })).codes, ['axml-attribute-order']);
});

test('attributes of packages are in order among themselves: those of shared libraries get their ids from Android', () => {
  const named = (id: number, name: string) => ({ name, id, value: 'value' });
  const library = [named(0x02010001, 'first'), named(0x02010002, 'second')];
  const framework = [named(attributeId('label'), 'label'), named(attributeId('name'), 'name')];
  const codesOf = (...attributes: typeof library) => parse(buildAxml({ name: 'activity', attributes })).codes;
  assert.deepEqual(codesOf(...library, ...framework), []);
  assert.deepEqual(codesOf(...library, ...framework.toReversed()), ['axml-attribute-order']);
});

test('surrogates that are written as three bytes each make one character', () => {
  const bytes = buildAxml(element('manifest', { package: 'ab😀' }));
  // The emoji's four bytes and two of the padding become its six bytes of modified UTF-8 in a pool of our own.
  const text = Buffer.from([0x61, 0x62, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
  const pool = Buffer.concat([
    u16(1, 28),
    u32(28 + 4 + 12, 1, 0, 0x100, 32, 0),
    u32(0),
    Buffer.from([4, 8]),
    text,
    Buffer.from([0, 0]),
  ]);
  const body = Buffer.concat([
    pool,
    chunk(0x0102, u32(1, 0xffffffff), Buffer.concat([u32(0xffffffff, 0), u16(20, 20, 0, 0, 0, 0)])),
  ]);
  assert.ok(bytes.length > 0);
  const { root } = parse(Buffer.concat([u16(3, 8), u32(8 + body.length), body]));
  assert.equal(root.name, 'ab😀');
});

test('attributes are known by their resource id where names are stripped or lie', () => {
  const spec: ElementSpec = {
    name: 'manifest',
    attributes: [
      { name: '', id: attributeId('versionCode'), value: 3 },
      { name: 'allowBackup', id: attributeId('versionName'), value: '1.0', namespace: null },
    ],
  };
  const { root, codes } = parse(buildAxml(spec));
  assert.equal(attribute(root, 'versionCode')?.data, 3);
  assert.equal(attribute(root, 'versionName')?.text, '1.0');
  assert.equal(attribute(root, 'allowBackup'), undefined);
  assert.deepEqual(codes, ['axml-attribute-name']);
});

test('the type of the outer chunk does not matter', () => {
  for (const headerType of [0, 0x42, 0xffff]) {
    const { root, codes } = parse(buildAxml(manifest, { headerType }));
    assert.deepEqual(names(root), ['manifest', 'application', 'activity']);
    assert.deepEqual(codes, ['axml-header-type']);
  }
});

test('a longer header and a file size that lies are passed over with findings', () => {
  assert.deepEqual(parse(buildAxml(manifest, { headerPadding: 12 })).codes, ['axml-header-length']);
  const larger = parse(buildAxml(manifest, { fileSize: (size) => size + 100 }));
  assert.deepEqual([names(larger.root).length, larger.codes], [3, ['axml-header-size']]);
  const trailing = parse(buildAxml(manifest, { trailing: Buffer.alloc(64, 0x5a) }));
  assert.deepEqual([names(trailing.root).length, trailing.codes], [3, ['axml-trailing-data']]);
  const zero = parse(buildAxml(manifest, { fileSize: () => 0 }));
  assert.equal(names(zero.root).length, 3);
});

test('a header said to be shorter than it is ends where headers end', () => {
  for (const size of [0, 7]) {
    const bytes = Buffer.from(buildAxml(manifest));
    bytes.writeUInt16LE(size, 2);
    const { root, codes } = parse(bytes);
    assert.deepEqual([names(root).length, codes], [3, ['axml-header-length']]);
  }
});

test('a flood of texts is cut and reported, and the elements behind it are read', () => {
  const text: Piece = { kind: 'text', bytes: chunk(0x0104, u32(1, 0xffffffff), u32(0, 8, 0)) };
  const flood = { kind: 'text' as const, bytes: Buffer.concat(new Array(150_000).fill(text.bytes)) };
  const arrange = (pieces: Piece[]) => [...pieces.slice(0, 4), flood, ...pieces.slice(4)];
  const { root, codes } = parse(buildAxml(manifest, { arrange }));
  assert.deepEqual([names(root).length, codes], [3, ['axml-too-large']]);
  assert.ok(root.children.length < 120_000);
});

test('unknown chunks before, between and after the elements are skipped', () => {
  const junk: Piece = { kind: 'text', bytes: chunk(0x0777, u32(1, 2), Buffer.alloc(40, 0xcc)) };
  const arrange = (pieces: Piece[]) => pieces.flatMap((piece) => [junk, piece, junk]);
  const { root, codes } = parse(buildAxml(manifest, { arrange }));
  assert.deepEqual(names(root), ['manifest', 'application', 'activity']);
  assert.ok(codes.every((code) => code === 'axml-unknown-chunk' || code === ''));
});

test('of two string pools before the first element the last one counts, later ones do not', () => {
  const wrong: Piece = { kind: 'pool', bytes: stringPool(['wrong', 'wrong', 'wrong']) };
  const before = parse(buildAxml(manifest, { arrange: (pieces) => [wrong, ...pieces] }));
  assert.equal(before.root.name, 'manifest');
  assert.deepEqual(before.codes, ['axml-second-string-pool']);
  const after = parse(buildAxml(manifest, { arrange: (pieces) => [...pieces.slice(0, 4), wrong, ...pieces.slice(4)] }));
  assert.equal(attribute(after.root, 'package')?.text, 'org.example');
  assert.deepEqual(names(after.root), ['manifest', 'application', 'activity']);
});

test('a string pool whose size is wrong ends where the next chunk begins', () => {
  for (const size of [0, 27, 0x7fffffff]) {
    const arrange = (pieces: Piece[]) =>
      pieces.map((piece) => {
        if (piece.kind !== 'pool') return piece;
        const bytes = Buffer.from(piece.bytes);
        bytes.writeUInt32LE(size, 4);
        return { ...piece, bytes };
      });
    const { root, codes } = parse(buildAxml(manifest, { arrange }));
    assert.deepEqual(names(root), ['manifest', 'application', 'activity']);
    assert.ok(codes.includes('axml-string-pool-size'), `size ${size}: ${codes}`);
  }
});

test('a string count that is too high keeps the strings and is reported', () => {
  const { root, codes } = parse(buildAxml(manifest, { pool: { stringCount: 0x40000000 } }));
  assert.equal(root.name, 'manifest');
  assert.deepEqual(codes, ['string-pool-count']);
});

test('a string count that is too low hides the strings past it, as Android hides them, and is reported', () => {
  const { document, root, codes } = parse(buildAxml(manifest, { pool: { stringCount: 3 } }));
  assert.deepEqual([document.strings.count, document.strings.at(3), root.name], [3, null, '']);
  assert.ok(codes.includes('string-pool-count'));
});

test('a truncated string pool keeps its readable strings and reports a finding', () => {
  const { document, codes } = parse(buildAxml(manifest, { pool: { offsets: { 2: 0xfffff0 } } }));
  assert.equal(document.strings.at(2), null);
  assert.ok(document.strings.at(0) !== null);
  assert.ok(codes.includes('string-pool-offset'));
});

test('an odd offset of a UTF-16 string is taken for the one before it, as Android takes it, with a finding', () => {
  const bytes = Buffer.from(buildAxml(manifest, { pool: { utf8: false } }));
  const [poolOffset, poolHeader] = [8, 28];
  for (let index = 0; index < bytes.readUInt32LE(poolOffset + 8); index++) {
    bytes[poolOffset + poolHeader + index * 4]! |= 1;
  }
  const { root, codes } = parse(bytes);
  assert.equal(root.name, 'manifest');
  assert.deepEqual(codes, ['string-pool-odd-offset']);
});

test('a string with another number of letters than declared is read, with a finding: Android reads none', () => {
  const declaring = (change: number) => {
    const bytes = Buffer.from(buildAxml(element('manifest', { package: 'com.exämple' })));
    const at = bytes.indexOf('com.exämple');
    bytes[at - 2]! += change;
    const { root, codes } = parse(bytes);
    return [root.attributes[0]!.text, ...codes];
  };
  assert.deepEqual(declaring(0), ['com.exämple']);
  assert.deepEqual(declaring(1), ['com.exämple', 'string-pool-letters']);
});

test('a pool with the wrong encoding flag is read by its content', () => {
  for (const utf8 of [true, false]) {
    const { root, codes } = parse(buildAxml(manifest, { pool: { utf8, flags: utf8 ? 0 : 0x100 } }));
    assert.equal(root.name, 'manifest');
    assert.ok(codes.includes('string-pool-encoding'));
  }
});

test('a string that claims to be longer than its pool is cut to it', () => {
  const { document, codes } = parse(buildAxml(manifest, { pool: { utf8: false, lengths: { 1: 60000 } } }));
  assert.ok(codes.includes('string-pool-length'));
  assert.ok(document.strings.at(1)!.length < 60000);
});

test('strings that overlap are read up to a limit and no further', () => {
  const long = 'y'.repeat(20_000);
  const strings = Array.from({ length: 5000 }, () => 'z');
  const offsets = Object.fromEntries(strings.map((_, index) => [index + 1, 0]));
  const pool: Piece = { kind: 'pool', bytes: stringPool([long, ...strings], { utf8: true, offsets }) };
  const { document, codes } = parse(
    buildAxml(manifest, { arrange: (pieces) => [...pieces.slice(0, 1), pool, ...pieces.slice(1)] }),
  );
  const started = process.cpuUsage().user;
  const total = [...document.strings].reduce((sum, text) => sum + text.length, 0);
  assert.ok(total < 4_000_000, `${total} characters`);
  assert.ok(process.cpuUsage().user - started < 1_000_000);
  assert.ok(codes.length > 0);
});

test('attributes that do not start or follow at 20 bytes are found where the element says', () => {
  const spec: ElementSpec = { ...manifest, attributeGap: 8, attributePadding: 12 };
  const { root, codes } = parse(buildAxml(spec));
  assert.equal(attribute(root, 'package')?.text, 'org.example');
  assert.equal(attribute(root, 'versionCode')?.data, 7);
  assert.deepEqual(codes, ['axml-attribute-layout']);
});

test('an attribute count beyond the chunk ends at the chunk', () => {
  const arrange = (pieces: Piece[]) =>
    pieces.map((piece) => {
      if (piece.kind !== 'start') return piece;
      const bytes = Buffer.from(piece.bytes);
      bytes.writeUInt16LE(0xffff, 16 + 12);
      return { ...piece, bytes };
    });
  const { root, codes } = parse(buildAxml(manifest, { arrange }));
  assert.equal(root.attributes.length, 2);
  assert.ok(codes.includes('axml-attribute-count'));
});

test('an attribute size of zero does not multiply attributes', () => {
  const arrange = (pieces: Piece[]) =>
    pieces.map((piece) => {
      if (piece.kind !== 'start') return piece;
      const bytes = Buffer.from(piece.bytes);
      bytes.writeUInt16LE(0, 16 + 10);
      bytes.writeUInt16LE(0xffff, 16 + 12);
      return { ...piece, bytes };
    });
  assert.equal(parse(buildAxml(manifest, { arrange })).root.attributes.length, 1);
});

test('missing, surplus and misnamed ends leave the tree as Android counts its levels', () => {
  const missing = parse(buildAxml(manifest, { arrange: (pieces) => pieces.filter((piece) => piece.kind !== 'end') }));
  assert.deepEqual(names(missing.root), ['manifest', 'application', 'activity']);
  assert.deepEqual(missing.codes, ['axml-unclosed']);
  const end = chunk(0x0103, u32(1, 0xffffffff), u32(0xffffffff, 0));
  const surplus = parse(buildAxml(manifest, { arrange: (pieces) => [...pieces, { kind: 'end', bytes: end }] }));
  assert.deepEqual(names(surplus.root), ['manifest', 'application', 'activity']);
  assert.deepEqual(surplus.codes, ['axml-surplus-end']);
});

test('elements after the end of the root are kept beside it', () => {
  const { document, codes } = parse(buildAxml([manifest, element('manifest', { package: 'second' })]));
  assert.equal(document.children.length, 2);
  assert.equal(attribute(document.root!, 'package')?.text, 'org.example');
  assert.deepEqual(codes, ['axml-second-root']);
});

test('bytes that are no chunk between two elements are stepped over', () => {
  const junk: Piece = { kind: 'text', bytes: Buffer.alloc(24, 0xff) };
  const arrange = (pieces: Piece[]) => pieces.flatMap((piece) => (piece.kind === 'start' ? [junk, piece] : [piece]));
  const { root, codes } = parse(buildAxml(manifest, { arrange }));
  assert.deepEqual(names(root), ['manifest', 'application', 'activity']);
  assert.ok(codes.includes('axml-bad-chunk'));
});

test('a chunk of size zero does not make the reader loop', () => {
  const loop: Piece = { kind: 'text', bytes: Buffer.concat([u16(0x0102, 16), u32(0, 0, 0)]) };
  const { root } = parse(
    buildAxml(manifest, { arrange: (pieces) => [...pieces.slice(0, 3), ...Array(50).fill(loop), ...pieces.slice(3)] }),
  );
  assert.equal(root.name, 'manifest');
});

test('ten thousand nested elements neither overflow the stack nor are kept', () => {
  let spec: ElementSpec = element('deep');
  for (let level = 0; level < 1500; level++) spec = element('deep', {}, spec);
  const { root, codes } = parse(buildAxml(spec));
  assert.ok(names(root).length <= 200);
  assert.ok(codes.includes('axml-too-deep'));
});

test('text is kept where it stands', () => {
  const { root } = parse(buildAxml(element('a', {}, 'one', element('b'), 'two')));
  assert.deepEqual(
    root.children.map((node) => (isElement(node) ? node.name : node.text)),
    ['one', 'b', 'two'],
  );
});

test('XML as text is recognised and refused', () => {
  for (const text of ['<?xml version="1.0"?><manifest/>', '\ufeff<manifest/>', '\n  <manifest/>']) {
    const findings = new Findings();
    assert.throws(
      () => parseBinaryXml(Buffer.from(text), findings),
      (error) => error instanceof FormatError && error.code === 'axml-plain-text',
    );
    assert.ok(findings.has('axml-plain-text'));
  }
});

test('files without any element are refused, whatever they are', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(7), Buffer.alloc(4096), Buffer.alloc(4096, 0xff), buildAxml([])]) {
    assert.throws(() => parseBinaryXml(bytes, new Findings()), FormatError);
  }
});

test('every prefix and every file with one byte changed is read or refused in bounded time', () => {
  const bytes = buildAxml(manifest);
  const started = process.cpuUsage();
  const attempt = (changed: Uint8Array) => {
    try {
      parseBinaryXml(changed, new Findings());
    } catch (error) {
      assert.ok(error instanceof FormatError, String(error));
    }
  };
  for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      attempt(changed);
    }
  }
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 5_000_000);
});
