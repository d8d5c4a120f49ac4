// Which APKs of the catalogue are chosen, and their export. Knows nothing of how they are chosen.
import { notifications } from '@mantine/notifications';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { csvRow } from '../../../server/contract/csv.ts';
import { maxProposalApks } from '../../../server/contract/rules/rule-proposal.ts';
import { type CatalogueList, fetchCataloguePage, latestApk } from '../../api/queries.ts';
import { cursorOf } from '../../api/query-client.ts';
import { saveFile } from '../../components/file/save-file.ts';
import { compareAddress } from '../../components/place/place-address.ts';
import { bulkTexts as words } from './texts.ts';

/** Either these APKs, or all that the list finds. */
export type Choice =
  | { kind: 'some'; apks: ReadonlyMap<string, Apk> }
  | { kind: 'all'; list: CatalogueList; count: number };

/** Where two chosen ones are compared, or one with another; null for any other number. */
export function comparisonOf(choice: Choice): string | null {
  if (choice.kind === 'all' || choice.apks.size > 2) return null;
  const [first, second] = choice.apks.keys();
  return first === undefined ? null : compareAddress(first, second);
}

/** What rules are proposed from; of more than may be chosen so the newest. */
export const sourceOf = (choice: Choice): { search: string } | { apks: string[] } =>
  choice.kind === 'all' ? { search: choice.list.search } : { apks: [...choice.apks.keys()].slice(0, maxProposalApks) };

export const chosenCount = (choice: Choice): number => (choice.kind === 'all' ? choice.count : choice.apks.size);

/** Rows of an export from the window; more are the command line's work. */
const maxExported = 20_000;
const exported = [
  'sha256',
  'md5',
  'sha1',
  'app',
  'package_name',
  'company',
  'version',
  'size',
  'rating',
  'is_detected',
  'is_trusted',
  'is_corrupted',
  'created_at',
] as const satisfies readonly (keyof Apk)[];
const judged = ['verdict', 'family', 'note', 'severity'] as const satisfies readonly (keyof Apk['workstation'])[];

/** All that are chosen, as far as an export holds them. */
async function apksOf(choice: Choice): Promise<Apk[]> {
  if (choice.kind === 'some') return [...choice.apks.values()].map(latestApk);
  const apks: Apk[] = [];
  for (let place: string | undefined = ''; place !== undefined && apks.length < maxExported; ) {
    const page: { results: Apk[]; next: string | null } = await fetchCataloguePage(choice.list, place);
    apks.push(...page.results);
    place = cursorOf(page.next);
  }
  return apks.slice(0, maxExported);
}

/** Saves them as CSV, and says where it had to leave some out. */
export async function exportChoice(choice: Choice, count: number): Promise<void> {
  const apks = await apksOf(choice);
  const rows = apks.map((apk) => [
    ...exported.map((name) => apk[name]),
    ...judged.map((name) => apk.workstation[name] ?? ''),
    apk.workstation.risk?.score ?? '',
  ]);
  saveFile([[...exported, ...judged, 'risk'], ...rows].map(csvRow), 'apks.csv', 'text/csv');
  if (apks.length < count) notifications.show({ message: words.exportCut(apks.length) });
}
