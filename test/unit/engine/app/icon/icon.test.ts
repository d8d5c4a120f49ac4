// Icons as they stand in real APKs, and drawables turned into self-contained SVG.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderDrawable } from '../../../../../server/engine/app/icon/drawable.ts';
import { DrawableSource } from '../../../../../server/engine/app/icon/drawable-source.ts';
import { readIcon } from '../../../../../server/engine/app/icon/icon.ts';
import { cleanPathData } from '../../../../../server/engine/app/icon/path-data.ts';
import { recogniseImage } from '../../../../../server/engine/app/icon/raster-image.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { valueTypes } from '../../../../../server/engine/formats/arsc/res-value.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { openManifest } from '../../../../fixtures/apk-manifest.ts';
import { buildAxml, type ElementSpec, element } from '../../../../fixtures/axml-builder.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';

const kitchenSink = join(import.meta.dirname, '../../../../golden/manifest/kitchen-sink.apk');
const float = (value: number) => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return { type: valueTypes.float, data: view.getUint32(0) };
};
const color = (data: number) => ({ type: valueTypes.colorArgb8, data });

function render(spec: ElementSpec): string | null {
  const { archive, table } = openManifest(kitchenSink);
  const { root } = parseBinaryXml(buildAxml(spec), new Findings());
  return renderDrawable({ kind: 'xml', root: root! }, new DrawableSource(archive, table));
}

const vector = (...children: ElementSpec[]) =>
  element('vector', { 'android:viewportWidth': float(24), 'android:viewportHeight': float(24) }, ...children);

test('the densest raster image up to xxxhdpi is the icon', () => {
  const { archive, manifest, table } = openManifest(kitchenSink);
  const icon = readIcon(archive, manifest, table);
  assert.equal(icon?.mediaType, 'image/png');
  assert.equal(recogniseImage(icon!.bytes)?.width, 192);
});

test('apps with an icon have it shown, apps without have none', () => {
  for (const [name, path] of Object.entries(realApks)) {
    const { archive, manifest, table } = openManifest(path);
    const icon = readIcon(archive, manifest, table);
    assert.equal(icon !== null, !name.startsWith('uiautomator2'), name);
    if (icon !== null) assert.equal(recogniseImage(icon.bytes)?.mediaType, icon.mediaType);
  }
});

test('an adaptive icon shows its background under its foreground', () => {
  const svg = render(
    element(
      'adaptive-icon',
      {},
      element('background', { 'android:drawable': color(0xff112233) }),
      element(
        'foreground',
        {},
        vector(element('path', { 'android:pathData': 'M2,2h20v20H2z', 'android:fillColor': color(0x80ff0000) })),
      ),
    ),
  )!;
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="192" height="192" viewBox="18 18 72 72">/);
  assert.ok(svg.indexOf('#112233') < svg.indexOf('M2 2h20v20H2z'));
  assert.match(svg, /fill="#ff0000" fill-opacity="0\.502"/);
});

test('layers, shapes, insets and embedded images become one document', () => {
  const { archive, table } = openManifest(kitchenSink);
  const id = [...table!.ids()].find((each) => table!.nameOf(each) === 'drawable/layers')!;
  const source = new DrawableSource(archive, table);
  const svg = renderDrawable(source.find({ type: valueTypes.reference, data: id, text: null })!, source)!;
  for (const part of ['<ellipse', '<linearGradient', 'href="data:image/png;base64,', '#00ff00'])
    assert.ok(svg.includes(part), part);
});

test('bitmaps of every kind, animated ones too, show the picture that they name', () => {
  const { table } = openManifest(kitchenSink);
  const picture = [...table!.ids()].find((each) => table!.nameOf(each) === 'drawable/icon')!;
  for (const tag of ['bitmap', 'nine-patch', 'animated-image']) {
    const svg = render(element(tag, { 'android:src': { type: valueTypes.reference, data: picture } }));
    assert.match(svg ?? '', /<image [^>]*href="data:image\/png;base64,/, tag);
  }
});

test('path data that is not path data reaches no document', () => {
  assert.equal(cleanPathData('M0,0"/><script>alert(1)</script>'), 'M0 0');
  assert.equal(cleanPathData('L1 1'), '');
  assert.equal(cleanPathData('m1-2.5.5a1 1 0 01.5.5z'), 'm1 -2.5');
  assert.equal(cleanPathData('M1e2-3 4,5z'), 'M1e2 -3L4 5z');
  const svg = render(
    vector(element('path', { 'android:pathData': 'M0 0"/><script>x', 'android:fillColor': color(0xff000000) })),
  );
  assert.doesNotMatch(svg ?? '', /script/);
});

test('a drawable that names itself ends', () => {
  const { archive, table } = openManifest(kitchenSink);
  const id = [...table!.ids()].find((each) => table!.nameOf(each) === 'drawable/layers')!;
  const items = Array.from({ length: 50 }, () =>
    element('item', { 'android:drawable': { type: valueTypes.reference, data: id } }),
  );
  const { root } = parseBinaryXml(buildAxml(element('layer-list', {}, ...items)), new Findings());
  assert.equal(typeof renderDrawable({ kind: 'xml', root: root! }, new DrawableSource(archive, table)), 'string');
});

test('bytes that are no image are none, whatever their name', () => {
  assert.equal(recogniseImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')), null);
  assert.equal(recogniseImage(Buffer.from('89504e470d0a1a0a', 'hex')), null);
});
