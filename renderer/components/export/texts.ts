// English texts of this room. Knows nothing of where they are shown.
import type { GroupSection, PageSection } from '../../../server/contract/catalogue/apk-page.ts';
import type { IndicatorFormat } from '../../../server/contract/catalogue/indicator-export.ts';

export const exportTexts = {
  export: 'Export…',
  page: 'Report for people…',
  hint: 'Export hashes, hosts and addresses for other programs',
  labels: {
    csv: 'Indicators as CSV',
    json: 'Indicators as JSON',
    stix: 'STIX 2.1 bundle',
    misp: 'MISP event',
  } satisfies Record<IndicatorFormat, string>,
  defanged: { csv: 'Indicators as CSV, defanged', json: 'Indicators as JSON, defanged' },
};

export const reportTexts = {
  title: 'Report for people',
  sections: 'What stands in it',
  tlp: 'Who may read it',
  tlpNote: 'Its mark by the Traffic Light Protocol, above and below.',
  noTlp: 'No mark',
  format: 'Kind of file',
  htmlNote: 'One file that opens anywhere; nothing in it runs or loads.',
  pdfNote: 'Printed by the desktop app, or by a Chromium that is installed on the workstation’s machine.',
  save: 'Save the report',
  names: {
    verdict: 'Verdict and notes',
    risk: 'Risk and findings',
    techniques: 'ATT&CK techniques',
    signer: 'Signer',
    rules: 'Rules that match',
    indicators: 'Indicators',
    entries: 'Entries of the case',
    verdicts: 'Verdicts',
    apks: 'APKs',
  } satisfies Record<PageSection | GroupSection, string>,
};
