// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

export const proposalTexts = {
  propose: 'Propose rules',
  proposeHint: 'Propose YARA rules that meet these APKs and nothing known good',
  title: (name: string) => `Proposed rules: ${name}`,
  heading: 'Proposed rules',
  stages: {
    reading: 'Reading what the chosen APKs have in common',
    trying: 'Trying it on the chosen, the known good and other APKs',
    judging: 'Trying what was chosen on further APKs',
  } as Record<string, string>,
  waiting: 'Waiting for its turn',
  stop: 'Stop',
  failed: (reason: string) => `No rules could be proposed: ${reason}`,
  again: 'Choose the APKs again and propose rules anew.',
  none: 'Nothing tells these APKs from others',
  noneText:
    'They share no components, hosts, texts or code that known good and other APKs lack. Choose APKs that are more alike, or wait until their static analysis is done.',
  noneLeft: 'All literals are left out. Take some in again.',
  edit: 'Open in editor',
  editHint: 'Saves the rules as a disabled private ruleset of yours',
  hunt: 'Save and hunt',
  huntHint: 'Saves them the same way, and runs them over the whole catalogue',
  coverage: 'Coverage',
  met: (met: number, all: number) => `${formatCount(met)} of ${formatCount(all)} chosen`,
  falseHits: (good: number, allGood: number, others: number, allOthers: number) =>
    `${formatCount(good)} of ${formatCount(allGood)} known good, ${formatCount(others)} of ${counted(allOthers, 'other', 'others')}`,
  triedOn:
    'Tried on the newest known good APKs, and on others from all over the catalogue that are not like the chosen ones.',
  noGood:
    'No APK is known to be good: trust some, judge some as clean, or import a list, and the rules will be tried on them.',
  ruleColumns: { rule: 'Rule', least: 'Asks for', chosen: 'Chosen', good: 'Known good', others: 'Others' },
  least: (least: number, all: number) => `${formatCount(least)} of ${formatCount(all)}`,
  literals: 'Literals',
  literalColumns: { use: 'Use', literal: 'Literal', reason: 'Why' },
  use: (id: string) => `Use literal ${id}`,
  groups: { report: 'Reports', text: 'Texts of the code', file: 'Texts of files', code: 'Pieces of code' },
  text: 'Rules',
  missed: (count: number) => `Not met: ${counted(count, 'chosen APK', 'chosen APKs')}`,
  hits: (count: number) => `Also met: ${counted(count, 'APK', 'APKs')} that were not chosen`,
  firstHits: (shown: number, all: number) => `The first ${formatCount(shown)} of ${formatCount(all)}.`,
  knownGood: 'Known good',
  failures: (count: number) => `${counted(count, 'APK', 'APKs')} could not be read or scanned`,
} as const;
