// Fuzz target: what is told of any file's bytes: their type, fuzzy hash and picture, and what is in packed reports and artefacts.
import { zstdCompressSync } from 'node:zlib';
import { contentType, entropy, sniffLength } from '../../../server/engine/app/content-type.ts';
import { recogniseImage } from '../../../server/engine/app/icon/raster-image.ts';
import { ssdeep } from '../../../server/engine/similarity/ssdeep.ts';
import { compareSsdeep } from '../../../server/services/catalogue/likeness/ssdeep-comparison.ts';
import { avatarImageOf } from '../../../server/services/people/avatar-image.ts';
import { artefactIn, artefactsIn } from '../../../server/vault/packed-artefacts.ts';
import { DamagedReportError } from '../../../server/vault/packed-bytes.ts';
import { packJson, unpackJson } from '../../../server/vault/packed-json.ts';
import { extendedWebp, gif, jpeg, losslessWebp, png, webp } from '../../fixtures/pictures.ts';
import { type FuzzTarget, hold } from '../target.ts';

const pictures = [png, webp, losslessWebp, extendedWebp, await jpeg(), await gif()];
const report = packJson({ a: [1, 'x'.repeat(50)] });
const artefact = Buffer.concat([Buffer.alloc(32, 7), Buffer.from([4, 0, 0, 0]), Buffer.from('abcd')]);

export const target: FuzzTarget = {
  subject: [
    'engine/app/content-type',
    'engine/app/icon/raster-image',
    'engine/similarity/',
    'services/people/avatar-image',
    'vault/packed-',
  ],
  samples: () => [
    ...pictures.map(({ bytes }) => bytes.subarray(0, 2000)),
    Buffer.from(report.compressed),
    zstdCompressSync(artefact),
    artefact,
    Buffer.from('3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C'),
  ],
  hotspots: () => [0, 12],
  refusals: [DamagedReportError],
  run(input) {
    const bytes = Buffer.from(input);
    const hash = ssdeep(bytes);
    hold(compareSsdeep(hash, hash) !== null, 'a hash is one that is compared', hash);
    const score = compareSsdeep(bytes.toString('latin1'), hash);
    hold(score === null || (score >= 0 && score <= 100), 'a score is one of 0 to 100', `${score}`);
    const told = [
      hash,
      contentType(bytes.subarray(0, sniffLength), bytes.length),
      entropy(bytes),
      recogniseImage(bytes),
      avatarImageOf(bytes),
      artefactIn(bytes, '07'.repeat(32)),
      artefactsIn(bytes),
    ];
    return [...told, unpackJson({ size: report.size, compressed: bytes })];
  },
};
