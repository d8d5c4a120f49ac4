// Fuzz target: opening an archive and reading every entry in every way.
import { Findings } from '../../../server/engine/findings.ts';
import { FormatError } from '../../../server/engine/formats/byte-reader.ts';
import { openZip } from '../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { builtZip } from '../built-inputs.ts';
import { zipFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

const content = 'some content that repeats '.repeat(20);

export const target: FuzzTarget = {
  subject: ['engine/formats/zip/'],
  samples: () => [
    buildZip({
      entries: [
        { name: 'AndroidManifest.xml', content, method: 8 },
        { name: 'classes.dex', content, alignment: 4 },
        { name: 'res/', content: '' },
        { name: 'odd', content, method: 99, isDeflated: true },
      ],
      comment: Buffer.from('comment'),
    }),
    buildZip({
      entries: [
        { name: 'a', content, method: 8, hasDescriptor: true },
        { name: 'b', content, isZip64: true },
      ],
      isZip64: true,
      beforeDirectory: Buffer.alloc(64, 1),
    }),
  ],
  fields: zipFields,
  generate: builtZip,
  async run(bytes) {
    const zip = openZip(memorySource(bytes), new Findings());
    for (const entry of zip.entries.slice(0, 20)) {
      for (const read of [() => zip.read(entry), () => zip.readPrefix(entry, 8), () => zip.dataOffsetOf(entry)]) {
        tolerate(read);
      }
    }
    const last = zip.entries.at(-1);
    if (last === undefined) return;
    let length = 0;
    for await (const piece of zip.chunks(last, 64)) length += piece.length;
    if (length > zip.budget.limit) throw new Error('the budget was overrun');
  },
};

/** One damaged entry must not hide the next. */
function tolerate(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}
