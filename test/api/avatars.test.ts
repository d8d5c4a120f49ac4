import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { gif, jpeg, png, webp } from '../fixtures/pictures.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const patch = (avatar: unknown) => workstation.ask('/account/', { method: 'PATCH', json: { profile: { avatar } } });
const analyst = async () => (await workstation.ask('/analysts/owner')).body;

/** What an address shows to somebody without a token. */
async function shown(address: string) {
  const response = await fetch(new URL(address, workstation.url));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('without a picture there is no address', async () => {
  assert.equal((await workstation.ask('/account/')).body.profile.avatar, '');
  assert.equal((await analyst()).avatar_url, '');
});

test('what is written instead of a picture is shown as it is, beside nothing and beside other words', async () => {
  for (const words of ['https://example.org/me.png', 'me.png', 'g', '']) {
    assert.equal((await patch(words)).body.profile.avatar, words);
    assert.equal((await analyst()).avatar_url, words);
  }
});

test('a picture can be put, as bytes or as a form, and is read without a token by a signed address', async () => {
  for (const { bytes, mediaType } of [png, await jpeg(), await gif(), webp]) {
    const put = await workstation.ask('/account/avatar/', { method: 'PUT', body: Uint8Array.from(bytes) });
    assert.equal(put.status, 200, put.text);
    const { avatar } = put.body.profile;
    assert.ok(avatar.startsWith(`${workstation.url}/avatars/owner/?`), avatar);
    const { status, headers, bytes: read } = await shown(avatar);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), mediaType);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.deepEqual(read, bytes);
    // The older shape has a path, as the specification says; the others whole addresses.
    const { avatar_url: path } = await analyst();
    assert.equal(`${workstation.url}${path}`, avatar);
  }
  const form = new FormData();
  form.append('picture', new Blob([Uint8Array.from(png.bytes)], { type: 'image/png' }), 'me.png');
  const put = await workstation.ask('/account/avatar/', { method: 'POST', body: form });
  assert.deepEqual((await shown(put.body.profile.avatar)).bytes, png.bytes);
});

test('a picture in the profile is taken as a data URL or as a file part', async () => {
  const { bytes } = await jpeg();
  const set = await patch(dataUrl(bytes, 'image/jpeg'));
  assert.equal(set.status, 200, set.text);
  assert.deepEqual((await shown(set.body.profile.avatar)).bytes, bytes);
  const form = new FormData();
  form.append('profile.avatar', new Blob([Uint8Array.from(png.bytes)], { type: 'image/png' }), 'me.png');
  form.append('profile.occupation', 'analyst');
  const sent = await workstation.ask('/account/', { method: 'PUT', body: form });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.profile.occupation, 'analyst');
  assert.deepEqual((await shown(sent.body.profile.avatar)).bytes, png.bytes);
});

test('a record sent back whole keeps the picture; other words replace it, and are shown as they are', async () => {
  const { body: account } = await workstation.ask('/account/');
  const back = await workstation.ask('/account/', { method: 'PUT', json: account });
  assert.equal(back.status, 200, back.text);
  assert.deepEqual(back.body, account);
  const words = await patch('https://example.org/me.png');
  assert.equal(words.body.profile.avatar, 'https://example.org/me.png');
  assert.equal((await shown(account.profile.avatar)).status, 404);
  assert.equal((await patch('')).body.profile.avatar, '');
});

test('the kind of a picture is that of its bytes; what is none, or too large, is refused and changes nothing', async () => {
  const { body: before } = await patch(dataUrl(png.bytes));
  const lied = await patch(dataUrl(png.bytes, 'image/svg+xml'));
  assert.equal((await shown(lied.body.profile.avatar)).headers.get('content-type'), 'image/png');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const wrong of [dataUrl(svg, 'image/svg+xml'), dataUrl(svg), 'data:image/png,x', 'data:', 'x'.repeat(2001)]) {
    const refused = await patch(wrong);
    assert.equal(refused.status, 400, wrong.slice(0, 60));
    assert.deepEqual(Object.keys(refused.body), ['profile.avatar']);
  }
  const put = (body: Uint8Array<ArrayBuffer>) => workstation.ask('/account/avatar/', { method: 'PUT', body });
  const refused = await put(Uint8Array.from(svg));
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body), ['avatar']);
  const large = Buffer.concat([png.bytes, Buffer.alloc(1_100_000)]);
  assert.equal((await put(Uint8Array.from(large))).status, 413);
  assert.equal((await patch(dataUrl(large))).status, 400);
  assert.equal((await workstation.ask('/account/')).body.profile.avatar, before.profile.avatar);
});

test('the address of a picture cannot be guessed, and goes with the picture', async () => {
  const { body } = await workstation.ask('/account/');
  const { avatar } = body.profile;
  assert.equal((await shown(avatar.replace(/signature=.*/, ''))).status, 403);
  assert.equal((await shown(avatar.replace(/signature=..../, 'signature=AAAA'))).status, 403);
  assert.equal((await shown(avatar.replace('/owner/', '/nobody/'))).status, 403);
  const other = createHash('sha256').update('other').digest('hex');
  assert.equal((await shown(avatar.replace(/image=[0-9a-f]+/, `image=${other}`))).status, 403);
  await workstation.analyst('Eve');
  assert.equal((await shown(avatar.replace('/owner/', '/Eve/'))).status, 403);
  assert.equal((await workstation.ask('/account/avatar/', { method: 'DELETE' })).status, 204);
  assert.equal((await shown(avatar)).status, 404);
  assert.equal((await analyst()).avatar_url, '');
});

test('comments and notifications show the picture of whom they are by', async () => {
  await patch(dataUrl(png.bytes));
  const token = await workstation.analyst('Reader');
  await workstation.ask('/analysts/Reader/follow');
  const told = (await workstation.ask('/notifications/', { token })).body.results[0];
  assert.deepEqual((await shown(told.analyst.avatar_url)).bytes, png.bytes);
  const path = '/analysts/Reader/profile_comments/';
  const comment = await workstation.ask(path, { method: 'POST', json: { text: 'hello' } });
  assert.ok(comment.body.author.avatar_url.startsWith(`${workstation.url}/avatars/`));
  assert.deepEqual((await shown(comment.body.author.avatar_url)).bytes, png.bytes);
});
