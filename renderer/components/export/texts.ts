// English texts of this room. Knows nothing of where they are shown.
import type { IndicatorFormat } from '../../../server/contract/catalogue/indicator-export.ts';

export const exportTexts = {
  export: 'Export…',
  page: 'Report for people (HTML)',
  hint: 'Export hashes, hosts and addresses for other programs',
  labels: {
    csv: 'Indicators as CSV',
    json: 'Indicators as JSON',
    stix: 'STIX 2.1 bundle',
    misp: 'MISP event',
  } satisfies Record<IndicatorFormat, string>,
  defanged: { csv: 'Indicators as CSV, defanged', json: 'Indicators as JSON, defanged' },
};
