// Lists of known hashes: what is read of published ones, what is found in them, and what becomes of a list that changes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HashListLines, listedHashes } from '../../../server/store/files/hash-list-lines.ts';
import { KnownLists } from '../../../server/store/files/known-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'known-lists-'));
after(() => rmSync(folder, { recursive: true }));

const hashed = (kind: 'md5' | 'sha1' | 'sha256', text: string) => createHash(kind).update(text).digest('hex');

/** Bytes as they come from a file, in pieces that end anywhere. */
async function* bytesOf(text: string, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readAll(text: string, size?: number) {
  const lines = new HashListLines();
  const read: string[] = [];
  for await (const hashes of listedHashes(bytesOf(text, size), lines))
    for (const { digest, name } of hashes) read.push(`${digest.toString('hex')} ${name}`.trim());
  return { read, lines };
}

const [one, two, three] = ['one', 'two', 'three'].map((text) => hashed('sha256', text)) as [string, string, string];

test('a list of one hash per line is read with BOM, CRLF, comments, upper case and names of files behind it', async () => {
  const md5 = hashed('md5', 'x');
  const { read, lines } = await readAll(`\uFEFF${one.toUpperCase()}\r\n# mine\r\n\r\n${two}  a file.apk\r\n${md5}`);
  assert.deepEqual(read, [one, two, md5]);
  assert.equal(lines.unreadable, 0);
});

test('a dump as MalwareBazaar writes it gives SHA-256 and family, and its other hashes are not mistaken for it', async () => {
  const imphash = hashed('md5', 'imphash');
  const row = (sha256: string, family: string) =>
    `"2024-01-02 03:04:05", "${sha256}", "${hashed('md5', sha256)}", "${hashed('sha1', sha256)}", "abuse_ch", "a ""b"", c.apk", "apk", "application/zip", "${family}", "n/a", "12", "${imphash}"`;
  const header =
    '# "first_seen_utc","sha256_hash","md5_hash","sha1_hash","reporter","file_name","file_type_guess","mime_type","signature","clamav","vtpercent","imphash"';
  const { read } = await readAll(
    `################\r\n# A dump #\r\n#\r\n${header}\r\n${row(one, 'Joker')}\r\n${row(two, 'n/a')}\r\n`,
  );
  assert.deepEqual(read, [`${one} Joker`, two]);
});

test('RDSv2 and exports of RDSv3 are read by their headers', async () => {
  const [sha1, md5] = [hashed('sha1', 'a'), hashed('md5', 'a')];
  const older = `"SHA-1","MD5","CRC32","FileName","FileSize","ProductCode","OpSystemCode","SpecialCode"\r\n"${sha1.toUpperCase()}","${md5.toUpperCase()}","0A1B2C3D","x.apk",1,2,"362",""\r\n`;
  assert.deepEqual((await readAll(older)).read, [sha1]);
  assert.deepEqual((await readAll(`sha256,sha1,md5,crc32,file_name\n${one},${sha1},${md5},00000000,x.apk\n`)).read, [
    one,
  ]);
});

test('lines without a hash are counted and the first is named; a huge one is not held', async () => {
  const { read, lines } = await readAll(`${one}\nno hash\n${'a'.repeat(300_000)}\n${two}\n${one}0\n`, 10_000);
  assert.deepEqual(read, [one, two]);
  assert.deepEqual([lines.count, lines.unreadable, lines.firstUnreadable], [5, 3, 2]);
});

const importing = (lists: KnownLists, text: string, name: string, kind: 'good' | 'bad') =>
  lists.import(bytesOf(text, 65_536), { name, kind, source: 'list.csv', importedAt: 0 });

test('files and signers are found by any hash with kind and name; a newer list says what it brings, one that is deleted says nothing', async () => {
  const lists = new KnownLists(join(folder, 'a'));
  const elsewhere = new KnownLists(join(folder, 'a'));
  assert.deepEqual(elsewhere.find([one], null), []);
  await importing(lists, `sha256,family\n${one},Joker\n${two},\n${one},Other\n`, 'bad ones', 'bad');
  const fingerprint = three.toUpperCase().match(/../g)!.join(':');
  await importing(lists, `${hashed('md5', 'two')}\n${fingerprint}\n`, 'good ones', 'good');
  assert.deepEqual(elsewhere.find([one, hashed('md5', 'one')], null), [
    { list: 'bad ones', kind: 'bad', by: 'file', name: 'Joker' },
  ]);
  assert.deepEqual(elsewhere.find([two, hashed('md5', 'two')], three), [
    { list: 'bad ones', kind: 'bad', by: 'file', name: '' },
    { list: 'good ones', kind: 'good', by: 'file', name: '' },
    { list: 'good ones', kind: 'good', by: 'signer', name: '' },
  ]);
  assert.deepEqual(await importing(lists, `${two}\n${three}\n`, 'bad ones', 'bad'), {
    count: 2,
    added: 1,
    removed: 1,
    unreadable: 0,
    firstUnreadable: 0,
  });
  assert.equal(lists.remove('bad ones'), true);
  assert.equal(lists.remove('bad ones'), false);
  assert.deepEqual(elsewhere.find([three], null), [{ list: 'good ones', kind: 'good', by: 'file', name: '' }]);
  for (const opened of [lists, elsewhere]) opened.close();
});

test('what is no list is refused by its line and leaves the former one; a damaged file hinders no other list', async () => {
  const lists = new KnownLists(join(folder, 'b'));
  await importing(lists, `${one}\n`, 'kept', 'good');
  await assert.rejects(importing(lists, '\n<html>\n', 'kept', 'good'), /line 2 has no MD5, SHA-1 or SHA-256/);
  await assert.rejects(importing(lists, '# nothing\n', 'kept', 'good'), /no hashes/);
  await assert.rejects(importing(lists, `${one}\n`, '../x', 'good'), /named by/);
  await importing(lists, `${two}\n`, 'torn', 'bad');
  truncateSync(join(folder, 'b', 'known-lists', 'torn.hashes'), 9);
  lists.close();
  assert.equal(lists.find([one], null).length, 1);
  assert.deepEqual(lists.damaged, ['torn']);
  assert.deepEqual(readdirSync(join(folder, 'b', 'known-lists')), ['kept.hashes', 'torn.hashes']);
  lists.close();
});

test('a list of many takes 14 bytes of the disk for a hash, and has each of them and no other', async () => {
  const lists = new KnownLists(join(folder, 'c'));
  const many = Array.from({ length: 20_000 }, (_, place) => hashed('sha1', String(place)));
  // The same eight digits at the beginning are no same hash.
  const alike = Array.from({ length: 100 }, (_, place) => `0011223344${hashed('sha1', String(place)).slice(10)}`);
  await importing(lists, [...many, ...alike, ...many].join('\n'), 'many', 'good');
  const { size } = statSync(join(folder, 'c', 'known-lists', 'many.hashes'));
  assert.ok(size - 14 * 20_100 < 200, String(size));
  assert.ok([...many, ...alike].every((hash) => lists.find([hash], null).length === 1));
  assert.ok(many.every((hash) => lists.find([hashed('sha1', hash)], null).length === 0));
  lists.close();
});
