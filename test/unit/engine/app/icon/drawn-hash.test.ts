// What icons look like: the same picture in other sizes, formats and as a vector, and other pictures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Icon } from '../../../../../server/contract/engine/analysis-results.ts';
import { drawnHash } from '../../../../../server/engine/app/icon/drawn/drawn-hash.ts';
import { readIcon } from '../../../../../server/engine/app/icon/icon.ts';
import { recogniseImage } from '../../../../../server/engine/app/icon/raster-image.ts';
import type { Pixels } from '../../../../../server/engine/formats/pixels.ts';
import { decodePng } from '../../../../../server/engine/formats/png/png.ts';
import { openManifest } from '../../../../fixtures/apk-manifest.ts';
import { buildPalettePng, buildPng } from '../../../../fixtures/png-builder.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';

const png = (bytes: Uint8Array): Icon => ({ mediaType: 'image/png', bytes });
const svg = (content: string): Icon => ({
  mediaType: 'image/svg+xml',
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192" viewBox="0 0 24 24">${content}</svg>`,
  ),
});

function iconOf(path: string): Icon {
  const { archive, manifest, table } = openManifest(path);
  return readIcon(archive, manifest, table)!;
}

/** Bits in which two icons differ. */
function apart(one: Icon, other: Icon): number {
  const [first, second] = [drawnHash(one), drawnHash(other)];
  assert.ok(first !== null && second !== null);
  return first.reduce((sum, byte, at) => sum + (byte ^ second[at]!).toString(2).replaceAll('0', '').length, 0);
}

/** A picture by the colour of each place of a square of 24. */
function picture(side: number, colorAt: (x: number, y: number) => readonly number[]): Pixels {
  const rgba = new Uint8Array(side * side * 4);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const place = (at: number) => ((at + 0.5) * 24) / side;
    rgba.set(colorAt(place(pixel % side), place(Math.floor(pixel / side))), pixel * 4);
  }
  return { width: side, height: side, rgba };
}

/** As a launcher of lower density has it: each place is the mean of those around it. */
function scaled({ width, height, rgba }: Pixels, by: number): Pixels {
  const small = { width: Math.floor(width / by), height: Math.floor(height / by) };
  const scaledRgba = Uint8Array.from({ length: small.width * small.height * 4 }, (_, at) => {
    const [column, row] = [Math.floor(at / 4) % small.width, Math.floor(at / 4 / small.width)];
    let sum = 0;
    for (let y = 0; y < by; y++)
      for (let x = 0; x < by; x++) sum += rgba[((row * by + y) * width + column * by + x) * 4 + (at % 4)]!;
    return sum / by ** 2;
  });
  return { ...small, rgba: scaledRgba };
}

test('an icon that was scaled down or written anew looks the same, and other icons do not', () => {
  const icons = [realApks.settings, realApks.apiDemos, realApks.minicap, realApks.unlock].map(iconOf);
  for (const [at, icon] of icons.entries()) {
    const pixels = decodePng(icon.bytes, 1e6);
    assert.equal(apart(icon, png(buildPng(pixels))), 0);
    assert.ok(apart(icon, png(buildPng(scaled(pixels, 2)))) <= 4);
    for (const other of icons.slice(at + 1)) assert.ok(apart(icon, other) >= 12, String(apart(icon, other)));
  }
  assert.equal(apart(iconOf(realApks.unlock), iconOf(realApks.unicodeIme)), 0);
});

test('a vector looks like the picture of the same shapes: paths, arcs, gradients, groups, clips, strokes, tints', () => {
  const blue = [0, 0, 255, 255];
  const disc = (x: number, y: number) => (Math.hypot(x - 12, y - 12) < 9 ? blue : [0, 0, 0, 0]);
  const twins: [string, (x: number, y: number) => readonly number[]][] = [
    ['<path d="M3 12a9 9 0 1 1 18 0a9 9 0 1 1 -18 0z" fill="#0000ff"/>', disc],
    ['<ellipse cx="12" cy="12" rx="9" ry="9" fill="#0000ff"/>', disc],
    [
      '<g transform="translate(24 0) scale(-1 1) rotate(90 12 12)"><path d="M0 0h24v6h-24z" fill="#0000ff"/></g>',
      (x) => (x < 6 ? blue : [0, 0, 0, 0]),
    ],
    [
      '<defs><linearGradient id="d1" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="24" y2="24"><stop offset="0" stop-color="#000000"/><stop offset="1" stop-color="#ffffff"/></linearGradient></defs><path d="M0 0h24v24H0z" fill="url(#d1)"/>',
      (x, y) => [...Array<number>(3).fill((255 * (x + y)) / 48), 255],
    ],
    [
      '<defs><clipPath id="d1"><path d="M0 0H24V12H0Z"/></clipPath></defs><g clip-path="url(#d1)"><circle cx="12" cy="12" r="9" fill="#0000ff"/></g>',
      (x, y) => (y < 12 ? disc(x, y) : [0, 0, 0, 0]),
    ],
    [
      '<path d="M4 4L20 20" fill="none" stroke="#0000ff" stroke-width="5"/>',
      (x, y) => (Math.abs(x - y) < 2.5 * Math.SQRT2 && x + y > 6.5 && x + y < 41.5 ? blue : [0, 0, 0, 0]),
    ],
    [
      '<path d="M2 2h20v20H2zM8 8h8v8H8z" fill-rule="evenodd" fill="#0000ff"/>',
      (x, y) => {
        const far = Math.max(Math.abs(x - 12), Math.abs(y - 12));
        return far < 10 && far > 4 ? blue : [0, 0, 0, 0];
      },
    ],
    [
      '<defs><filter id="d1"><feFlood flood-color="#0000ff"/><feComposite in2="SourceAlpha" operator="in"/></filter></defs><g filter="url(#d1)"><circle cx="12" cy="12" r="9" fill="#ffffff"/></g>',
      disc,
    ],
  ];
  for (const [content, colorAt] of twins) {
    assert.ok(apart(svg(content), png(buildPng(picture(96, colorAt)))) <= 1, content);
    const data = buildPng(picture(48, colorAt)).toString('base64');
    const layer = `<image x="0" y="0" width="24" height="24" href="data:image/png;base64,${data}"/>`;
    assert.ok(apart(svg(content), svg(layer)) <= 2, content);
  }
  const painted = picture(48, disc);
  assert.equal(apart(png(buildPalettePng(painted)), png(buildPng(painted))), 0);
});

const golden = (name: string): Icon => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../../golden/icons', name));
  return { mediaType: recogniseImage(bytes)!.mediaType, bytes };
};
const otherFormats: Readonly<Record<string, readonly string[]>> = {
  'icon.png': ['lossless.webp', 'lossy.webp', 'transparent.gif'],
  'flat.png': ['baseline.jpg', 'progressive.jpg', 'grey.jpg', 'plain.gif', 'interlaced.gif'],
};

test('the same picture looks the same as WebP, JPEG and GIF, also in a layer of an adaptive icon', () => {
  for (const [original, names] of Object.entries(otherFormats))
    for (const icon of names.map(golden)) {
      assert.ok(apart(icon, golden(original)) <= 4, `${original}, ${icon.mediaType}: ${apart(icon, golden(original))}`);
      const data = Buffer.from(icon.bytes).toString('base64');
      const layer = `<image x="0" y="0" width="24" height="24" href="data:${icon.mediaType};base64,${data}"/>`;
      assert.ok(apart(svg(layer), golden(original)) <= 4, `${original}, ${icon.mediaType} in a layer`);
    }
  assert.ok(apart(golden('icon.png'), golden('flat.png')) >= 12);
});

test('a damaged WebP, JPEG or GIF has a look or none, and leaves nothing to the next', () => {
  for (const name of Object.values(otherFormats).flat()) {
    const icon = golden(name);
    const whole = drawnHash(icon);
    for (let length = 0; length < icon.bytes.length; length += Math.ceil(icon.bytes.length / 40))
      drawnHash({ ...icon, bytes: icon.bytes.subarray(0, length) });
    for (let at = 0; at < icon.bytes.length; at += Math.ceil(icon.bytes.length / 40))
      drawnHash({ ...icon, bytes: icon.bytes.with(at, icon.bytes[at]! ^ 0xff) });
    assert.deepEqual(drawnHash(icon), whole, name);
  }
  assert.equal(drawnHash(golden('moving.webp')), null);
});

test('a JPEG of more scans than any encoder writes has no look, nor has a GIF whose picture is larger than its screen', () => {
  const { mediaType, bytes } = golden('progressive.jpg');
  const last = Buffer.from(bytes).lastIndexOf(Buffer.of(0xff, 0xda));
  const scan = bytes.subarray(last, -2);
  const scans = (count: number) =>
    Buffer.concat([bytes.subarray(0, last), ...Array<Uint8Array>(count).fill(scan), bytes.subarray(-2)]);
  assert.notEqual(drawnHash({ mediaType, bytes: scans(1) }), null);
  assert.equal(drawnHash({ mediaType, bytes: scans(60) }), null);
  const gif = golden('plain.gif');
  const screen = Buffer.from(gif.bytes);
  screen.writeUInt16LE(8, 6);
  assert.equal(drawnHash({ ...gif, bytes: screen }), null);
});

test('what shows nothing, is of one colour, too large or damaged has no look', () => {
  const plain = picture(48, () => [0, 90, 0, 255]);
  const whole = buildPng(picture(48, (x) => [x * 10, 0, 0, 255]));
  const bomb = Buffer.from(whole);
  bomb.writeUInt32BE(4096, 16);
  bomb.writeUInt32BE(4096, 20);
  for (const icon of [png(buildPng(plain)), svg(''), png(bomb), png(whole.subarray(0, 20)), png(Buffer.alloc(0))])
    assert.equal(drawnHash(icon), null);
  const many = `<path d="M0 0${'L1 1 2 9'.repeat(20_000)}" fill="#0000ff"/>`;
  assert.equal(drawnHash(svg(many.repeat(8))), null);
  assert.notEqual(drawnHash(png(whole)), null);
});
