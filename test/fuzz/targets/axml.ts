// Fuzz target: parsing and printing a manifest in binary XML, and reading its record.

import { readManifest } from '../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../server/engine/formats/axml/document.ts';
import { printXml } from '../../../server/engine/formats/axml/xml-text.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { appEntries } from '../app-entries.ts';
import { builtXml } from '../built-inputs.ts';
import { chunkFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['engine/formats/axml/', 'engine/formats/arsc/string-pool', 'engine/app/manifest/'],
  samples: () => [realApks.unlock, realApks.unicodeIme].map((path) => appEntries(path).get('AndroidManifest.xml')!),
  hotspots: () => [0, 8],
  fields: chunkFields,
  generate: builtXml,
  run(bytes) {
    const findings = new Findings();
    const document = parseBinaryXml(bytes, findings);
    printXml(document);
    readManifest(document, null, findings);
  },
};
