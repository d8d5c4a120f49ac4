// English texts of this room. Knows nothing of where they are shown.
import type { ApkPart } from '../../../../server/contract/catalogue/apk.ts';
import type { ExplainedRisk, RiskLevel, RiskPart } from '../../../../server/contract/findings/risk.ts';
import { counted, formatCount } from '../../../components/text/counted.ts';

type Signer = NonNullable<ExplainedRisk['context']['signer']>;

export const riskTexts = {
  title: 'Risk',
  score: (score: number, level: RiskLevel) => `${score} of 100 · ${level}`,
  points: (points: number) => counted(points, 'point', 'points'),
  nothing: 'Nothing found suggests that the app is harmful.',
  more: (count: number) => `${counted(count, 'more place', 'more places')} of the same.`,
  rest: (count: number, points: number) =>
    `${counted(count, 'smaller reason', 'smaller reasons')}, ${counted(points, 'point', 'points')} together`,
  groups: {
    behaviour: 'run time',
    combinations: 'combination',
    abilities: 'capability',
    hiding: 'concealment',
    permissions: 'permission in use',
    weaknesses: 'weakness',
    rules: 'rule',
    antivirus: 'antivirus',
  } satisfies Record<RiskPart['group'], string>,
  dismissed: (count: number) =>
    `Dismissed and not counted: ${counted(count, 'finding or rule', 'findings and rules')}.`,
  known: 'Known here, not counted:',
  signer: ({ apks, is_more, is_trusted, detected, malicious, suspicious, clean }: Signer) =>
    [
      `${is_trusted ? 'trusted signer' : 'signer'} of ${is_more ? 'more than ' : ''}${counted(apks, 'APK', 'APKs')}`,
      ...[
        [detected, 'detected'],
        [malicious, 'judged malicious'],
        [suspicious, 'judged suspicious'],
        [clean, 'judged clean'],
      ].flatMap(([count, word]) => (count === 0 ? [] : [`${formatCount(Number(count))} ${word}`])),
    ].join(', '),
  family: (apks: number) => `${counted(apks, 'APK', 'APKs')}in the catalogue judged the same`,
};

export const techniqueTexts = {
  title: (count: number) => `ATT&CK techniques (${formatCount(count)})`,
};

/** In the order of the matrix. */
export const tacticTexts: Record<string, string> = {
  execution: 'Execution',
  persistence: 'Persistence',
  'privilege-escalation': 'Privilege escalation',
  'defense-evasion': 'Defense evasion',
  'credential-access': 'Credential access',
  discovery: 'Discovery',
  collection: 'Collection',
  'command-and-control': 'Command and control',
  exfiltration: 'Exfiltration',
  impact: 'Impact',
};
export const tacticOrder = Object.keys(tacticTexts);

export const summaryTexts = {
  findings: 'Findings',
  noFindings: 'No findings.',
  unlisted: (count: number) => `${counted(count, 'more place is', 'more places are')} not listed in the report.`,
  inLibraries: (count: number) => `Only in the code of libraries: ${counted(count, 'finding', 'findings')}`,
  moreEvidence: (count: number) => `show ${counted(count, 'more place', 'more places')}`,
  open: 'Show all',
  signer: 'Signer',
  app: 'App',
  platform: {
    min: 'Min SDK',
    target: 'Target SDK',
    main: 'Main activity',
    code: 'Code',
    components: 'Components',
    abis: 'Native ABIs',
  },
  codeCounts: (code: { dexes: number; classes: number; methods: number; instructions: number }) =>
    [
      counted(code.dexes, 'dex', 'dexes'),
      counted(code.classes, 'class', 'classes'),
      counted(code.methods, 'method', 'methods'),
      counted(code.instructions, 'instruction', 'instructions'),
    ].join(' · '),
  abilities: 'Functionalities in the code',
  noAbilities: 'No sensitive functionality was found in the code.',
  contacts: (count: number) => `Network indicators (${counted(count, 'domain', 'domains')})`,
  contactCounts: (urls: number, domains: number, ips: number, emails: number) =>
    [
      counted(urls, 'URL', 'URLs'),
      counted(domains, 'domain', 'domains'),
      counted(ips, 'IP address', 'IP addresses'),
      counted(emails, 'e-mail address', 'e-mail addresses'),
    ].join(' · '),
  detections: 'Detections',
  matches: (count: number) => `Matching rulesets (${formatCount(count)})`,
  dangerous: (dangerous: number, total: number) =>
    `Dangerous permissions (${formatCount(dangerous)} of ${formatCount(total)})`,
  noDangerous: 'The app requests no dangerous permission.',
  exported: (count: number) => `Exported components (${formatCount(count)})`,
  noExported: 'No component is exported.',
  trackers: (count: number) => `Trackers (${formatCount(count)})`,
  noTrackers: 'No known tracker was found.',
};

const androidVersions: Record<number, string> = {
  1: '1.0',
  2: '1.1',
  3: '1.5',
  4: '1.6',
  5: '2.0',
  6: '2.0.1',
  7: '2.1',
  8: '2.2',
  9: '2.3',
  10: '2.3.3',
  11: '3.0',
  12: '3.1',
  13: '3.2',
  14: '4.0',
  15: '4.0.3',
  16: '4.1',
  17: '4.2',
  18: '4.3',
  19: '4.4',
  20: '4.4W',
  21: '5.0',
  22: '5.1',
  23: '6',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
};

/** `Android 14`. */
export const androidVersion = (level: number) => {
  const version = androidVersions[level];
  return version === undefined ? 'unknown version' : `Android ${version}`;
};

export const severitiesTexts = { critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'info' };

export const behaviourTexts = { doing: 'Behaviour at run time' };

/** Of split APKs. */
export const partsTexts = {
  title: (count: number) => `Installed with ${counted(count, 'part', 'parts')}`,
  adds: ({ is_feature, abis, languages, densities, dexes, assets }: ApkPart['adds']): string[] =>
    [
      is_feature ? 'a feature' : '',
      ...abis,
      ...languages.map((language) => `language ${language}`),
      ...densities,
      dexes > 0 ? counted(dexes, 'file of code', 'files of code') : '',
      assets > 0 ? counted(assets, 'asset', 'assets') : '',
    ].filter((text) => text !== ''),
};
