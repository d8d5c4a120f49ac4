// Fuzz target: reading every resource of a resource table, and a manifest that refers to them.

import { readManifest } from '../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../server/engine/findings.ts';
import { parseResourceTable } from '../../../server/engine/formats/arsc/resource-table.ts';
import { parseBinaryXml } from '../../../server/engine/formats/axml/document.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { appEntries } from '../app-entries.ts';
import { builtTable } from '../built-inputs.ts';
import { chunkFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

const entries = appEntries(realApks.unlock);
const manifest = entries.get('AndroidManifest.xml')!;

export const target: FuzzTarget = {
  subject: ['engine/formats/arsc/'],
  samples: () => [entries.get('resources.arsc')!, appEntries(realApks.unicodeIme).get('resources.arsc')!],
  hotspots: () => [0, 12],
  fields: chunkFields,
  generate: builtTable,
  run(bytes) {
    const findings = new Findings();
    const table = parseResourceTable(bytes, findings);
    for (const { id } of table.packages.slice(0, 4)) {
      for (let type = 1; type < 16; type++) {
        for (let entry = 0; entry < 16; entry++) {
          const resource = ((id << 24) | (type << 16) | entry) >>> 0;
          table.nameOf(resource);
          table.isPublic(resource);
          table.entries(resource);
          table.bestEntry(resource);
        }
      }
    }
    readManifest(parseBinaryXml(manifest, findings), table, findings);
  },
};
