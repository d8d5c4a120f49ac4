// Draws the icons of the app in every size from one picture: `node resources/icons/make-icons.mjs` with Chromium at
// /usr/bin/chromium. The PNG files are committed; Windows' and macOS' containers are made of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';

const folder = new URL('./', import.meta.url);
const picture = readFileSync(new URL('../../renderer/public/mark.svg', import.meta.url), 'utf8');
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const images = new Map();
for (const size of sizes) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${picture}`);
  const image = await page.screenshot({ omitBackground: true });
  writeFileSync(new URL(`${size}x${size}.png`, folder), image);
  images.set(size, image);
  await page.close();
}
await browser.close();

/** https://en.wikipedia.org/wiki/ICO_(file_format): a directory of images, each here a PNG file. */
function ico(entries) {
  const directory = Buffer.alloc(6 + 16 * entries.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(entries.length, 4);
  let offset = directory.length;
  for (const [index, [size, image]] of entries.entries()) {
    const at = 6 + 16 * index;
    directory[at] = directory[at + 1] = size % 256;
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(image.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += image.length;
  }
  return Buffer.concat([directory, ...entries.map(([, image]) => image)]);
}

/** https://en.wikipedia.org/wiki/Apple_Icon_Image_format: the types that hold PNG files, by size. */
const appleTypes = { 16: 'icp4', 32: 'icp5', 64: 'icp6', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };
function icns(entries) {
  const parts = entries.map(([size, image]) => {
    const header = Buffer.alloc(8);
    header.write(appleTypes[size], 'latin1');
    header.writeUInt32BE(8 + image.length, 4);
    return Buffer.concat([header, image]);
  });
  const header = Buffer.alloc(8);
  header.write('icns', 'latin1');
  header.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 8), 4);
  return Buffer.concat([header, ...parts]);
}

const of = (...wanted) => wanted.map((size) => [size, images.get(size)]);
writeFileSync(new URL('icon.ico', folder), ico(of(16, 24, 32, 48, 64, 128, 256)));
writeFileSync(new URL('icon.icns', folder), icns(of(16, 32, 64, 128, 256, 512, 1024)));
