import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../../../../../server/engine/dynamic/android/views/web-pages.ts';

test('links and forms are read however they are written', () => {
  const html = `<!doctype html><A HREF='one.html'>1</A><a name=x><p><a class="b" href=two>2</a>
    <input name=stray><form action="/go" method=Post><input type="PASSWORD" name="pin"><select name=kind></select>
    <input type=submit></form><form><textarea name='text'></textarea>`;
  assert.deepEqual(readPage(html), {
    links: ['one.html', 'two'],
    forms: [
      {
        action: '/go',
        isPost: true,
        fields: [
          { name: 'pin', isPassword: true },
          { name: 'kind', isPassword: false },
        ],
      },
      { action: '', isPost: false, fields: [{ name: 'text', isPassword: false }] },
    ],
  });
});

test('a tag without an end offers nothing', () => {
  assert.deepEqual(readPage('<a href=one>1</a><a href=two'), { links: ['one'], forms: [] });
});

test('hostile pages are read in linear time and to a bound', () => {
  const before = process.cpuUsage().user;
  for (const part of [
    '<a',
    '<a href=',
    '<form ',
    '<input name="',
    '<a href="x">',
    '<a href=x '.repeat(500),
    `<a ${'x'.repeat(2_000)}`,
    `<a ${'x '.repeat(200_000)}`,
  ]) {
    const { links, forms } = readPage(part.repeat(Math.ceil(300_000 / part.length)));
    assert.ok(links.length <= 8 && forms.length <= 4);
  }
  assert.ok(process.cpuUsage().user - before < 2_000_000);
});
