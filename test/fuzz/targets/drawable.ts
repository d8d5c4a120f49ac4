// Fuzz target: pictures that are XML, as they are drawn: vectors, shapes, gradients, layers.
import { join } from 'node:path';
import { renderDrawable } from '../../../server/engine/app/icon/drawable.ts';
import { DrawableSource } from '../../../server/engine/app/icon/drawable-source.ts';
import { drawnHash } from '../../../server/engine/app/icon/drawn/drawn-hash.ts';
import { Findings } from '../../../server/engine/findings.ts';
import { valueTypes } from '../../../server/engine/formats/arsc/res-value.ts';
import { parseBinaryXml } from '../../../server/engine/formats/axml/document.ts';
import { openManifest } from '../../fixtures/apk-manifest.ts';
import { buildAxml, element } from '../../fixtures/axml-builder.ts';
import { builtElement } from '../built-inputs.ts';
import { chunkFields } from '../fields.ts';
import { type FuzzTarget, hold } from '../target.ts';

const { archive, table } = openManifest(join(import.meta.dirname, '../../golden/manifest/kitchen-sink.apk'));
const tags =
  'vector group path clip-path shape solid gradient stroke corners size item layer-list adaptive-icon background foreground selector inset rotate scale clip bitmap ripple level-list'.split(
    ' ',
  );
const names =
  'viewportWidth viewportHeight width height pathData fillColor strokeColor strokeWidth fillAlpha alpha tint drawable color startColor endColor angle type shape radius top left rotation scaleX translateX pivotX insetLeft gradientRadius name'.split(
    ' ',
  );
const values = ['M2,2h20v20H2z', 'M0 0c1e9,-.5.5 NaN', '', 'a'.repeat(200), 0, -1, 24, true];
const words = { tags, names, values };

const float = (value: number) => ({ type: valueTypes.float, data: new Uint32Array(Float32Array.of(value).buffer)[0]! });
const path = element('path', {
  'android:pathData': 'M2,2h20v20H2z',
  'android:fillColor': { type: valueTypes.colorArgb8, data: 0x80ff0000 },
});
const size = { 'android:viewportWidth': float(24), 'android:viewportHeight': float(24) };

export const target: FuzzTarget = {
  subject: ['engine/app/icon/'],
  samples: () =>
    [
      element('vector', size, element('group', { 'android:rotation': float(45) }, path, path)),
      element(
        'adaptive-icon',
        {},
        element('background', {}, element('shape', {}, element('gradient', {}))),
        element('foreground', {}, path),
      ),
    ].map((root) => Buffer.from(buildAxml(root))),
  fields: chunkFields,
  generate: (random) => buildAxml(builtElement(words, random)),
  run(bytes) {
    const { root } = parseBinaryXml(bytes, new Findings());
    if (!root) return null;
    const svg = renderDrawable({ kind: 'xml', root }, new DrawableSource(archive, table));
    hold(
      svg === null || !/<script|javascript:|href="(?!#|data:)|NaN|Infinity/i.test(svg),
      'a picture is safe and drawable',
      svg ?? '',
    );
    // Whatever can be shown is drawn for comparison, too.
    const hash = svg === null ? null : drawnHash({ mediaType: 'image/svg+xml', bytes: Buffer.from(svg) });
    return [svg, hash];
  },
};
