// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../components/text/counted.ts';

export const searchTexts = {
  label: 'Search the catalogue',
  placeholder: 'Search: name, package, hash, domain:example.org, severity:high, finding:…, permission:SEND_SMS …',
  clear: 'Clear the search',
  results: 'Search results',
  fault: 'The search has an error',
  end: '(end)',
  hint: 'Put fields before a colon (app:, package:, risk:, finding:, domain:, ip:, class:, signer:, tag:, content:"text in a file" …; the empty search line lists all of them); combine words with AND, OR, NOT and parentheses.',
};

export const savedTexts = {
  title: 'Saved searches',
  name: 'Name',
  save: 'Save this search',
  none: 'No saved searches yet.',
  forget: (name: string) => `Delete ${name}`,
  everything: 'all APKs',
} as const;

export const completionTexts = {
  list: 'Suggestions',
} as const;

const apks = (value: number | null) => (value === null ? '' : ` (${counted(value, 'APK', 'APKs')})`);

export const paletteTexts = {
  title: 'Command palette',
  placeholder: 'Type a page, action, app, ruleset, hash or search…',
  search: (text: string) => `Search the catalogue: ${text}`,
  meant: (text: string, label: string) => `Search ${text} (${label})`,
  dark: 'Dark colour scheme',
  light: 'Light colour scheme',
  system: 'System colour scheme',
  help: 'Keyboard shortcuts',
  newRuleset: 'New ruleset',
  apk: (hash: string) => `Open the APK ${hash}…`,
  compare: (first: string, second: string) => `Compare the APKs ${first}… and ${second}…`,
  compareWith: (hash: string) => `Compare with the APK ${hash}…`,
  found: {
    app: (name: string, count: number | null) => `App: ${name}${apks(count)}`,
    package: (name: string, count: number | null) => `Package: ${name}${apks(count)}`,
    ruleset: (name: string) => `Ruleset: ${name}`,
    analyst: (name: string) => `Analyst: ${name}`,
  },
} as const;
