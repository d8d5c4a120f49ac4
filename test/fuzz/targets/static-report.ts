// Fuzz target: the identity and the whole static report of an app with one damaged entry.
import { identify } from '../../../server/engine/static/identity.ts';
import { analyzeStatic } from '../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { appEntries } from '../app-entries.ts';
import { chunkFields, dexFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

const entries = appEntries(realApks.unlock);
const names = ['AndroidManifest.xml', 'resources.arsc', 'classes.dex', 'META-INF/CERT.RSA'];

export const target: FuzzTarget = {
  name: 'static-report',
  /** The first byte says which entry the rest stands for. */
  samples: () => names.map((name, index) => Buffer.concat([Buffer.from([index]), entries.get(name)!])),
  fields: (sample) => {
    const find = [chunkFields, chunkFields, dexFields][sample[0]!];
    return find?.(sample.subarray(1)).map(({ offset, width }) => ({ offset: offset + 1, width })) ?? [];
  },
  async run(bytes) {
    const damaged = names[(bytes[0] ?? 0) % names.length]!;
    const apk = buildZip({
      entries: [...entries].map(([name, content]) => ({
        name,
        content: name === damaged ? bytes.subarray(1) : content,
      })),
    });
    identify(memorySource(apk));
    await analyzeStatic(memorySource(apk), { fileName: 'damaged.apk' });
  },
};
