// A page for people about several APKs: those of a search, a family or a case. Knows nothing of HTTP.
import { type GroupSection, groupSections } from '../../contract/catalogue/apk-page.ts';
import { riskLevelOf } from '../../contract/findings/risk.ts';
import type { CaseEntryRecord, CaseRecord } from '../../store/repositories/case-repository.ts';
import type { Store } from '../../store/store.ts';
import { type Html, html } from '../html.ts';
import type { ApkSelection } from './apk-selections.ts';
import { type Indicator, type IndicatorsOfApk, indicatorsOf } from './indicators.ts';
import { day, framedPage, indicatorTable, maxShown, type PageLook, rest } from './page-frame.ts';

export interface GroupOrder extends PageLook {
  sections: readonly GroupSection[] | undefined;
}

/** What a page is about. */
export interface PageSubject extends ApkSelection {
  note: string;
  /** Null: it is no case. */
  about: CaseRecord | null;
}

interface Known {
  apks: readonly IndicatorsOfApk[];
  about: CaseRecord | null;
  entries: readonly CaseEntryRecord[];
}

/** How many have each, the most common first. */
function counted(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

const countTable = (heading: string, column: string, rows: readonly [string, number][]): Html | null =>
  rows.length === 0
    ? null
    : html`<h2>${heading}</h2>
<table><thead><tr><th>${column}</th><th>APKs</th></tr></thead><tbody>
${rows.slice(0, maxShown).map(([text, count]) => html`<tr><td>${text}</td><td>${count}</td></tr>`)}
</tbody></table>${rest(rows.length)}`;

/** Of all APKs, each once: one that a run spoke to in any of them was spoken to. What tells single APKs stands in their list. */
function sharedIndicators(apks: readonly IndicatorsOfApk[]): Indicator[] {
  const all = new Map<string, Indicator>();
  for (const indicator of apks.flatMap(({ indicators }) => indicators)) {
    if (['sha256', 'sha1', 'md5'].includes(indicator.kind)) continue;
    const key = `${indicator.kind} ${indicator.value}`;
    if (!all.has(key) || indicator.isContacted) all.set(key, indicator);
  }
  return [...all.values()];
}

const stateOf = ({ kind, isDone }: CaseEntryRecord): string | null =>
  kind === 'task' ? (isDone ? 'done' : 'to do') : kind === 'question' ? (isDone ? 'answered' : 'open') : null;

const sectionWriters: Readonly<Record<GroupSection, (known: Known) => Html | null>> = {
  entries: ({ about, entries }) =>
    about === null || entries.length === 0
      ? null
      : html`<h2>What was written</h2>
<table><thead><tr><th>When</th><th>Kind</th><th>Text</th></tr></thead><tbody>
${entries.slice(0, maxShown).map((entry) => html`<tr><td>${day(entry.happenedAt)}</td><td>${entry.kind}<br><small>${stateOf(entry)}</small></td><td>${entry.text}${entry.answer === '' ? null : html`<br><b>Answer:</b> ${entry.answer}`}<br><small>${entry.username}${entry.assignee === '' ? null : `, for ${entry.assignee}`}</small></td></tr>`)}
</tbody></table>${rest(entries.length)}`,

  verdicts: ({ apks }) =>
    countTable(
      'Verdicts',
      'Verdict and family',
      counted(apks.map(({ apk, family }) => (family === '' ? apk.verdict : `${apk.verdict}, ${family}`))),
    ),

  apks: ({ apks }) => html`<h2>APKs</h2>
<table><thead><tr><th>Risk</th><th>App</th><th>Verdict</th><th>SHA-256</th></tr></thead><tbody>
${[...apks]
  .sort((one, other) => (other.apk.risk ?? -1) - (one.apk.risk ?? -1))
  .slice(0, maxShown)
  .map(
    ({ apk, family }) =>
      html`<tr><td>${apk.risk === null ? '–' : `${apk.risk} ${riskLevelOf(apk.risk)}`}</td><td>${apk.app}<br><small>${apk.packageName} ${apk.version}</small></td><td>${apk.verdict}${family === '' ? null : `, ${family}`}<br><small>${apk.note}</small></td><td><code>${apk.sha256}</code></td></tr>`,
  )}
</tbody></table>${rest(apks.length)}`,

  techniques: ({ apks }) =>
    countTable(
      'Techniques of MITRE ATT&CK for Mobile',
      'Technique',
      counted(apks.flatMap(({ techniques }) => techniques.map(({ id, name }) => `${id} ${name}`))),
    ),

  indicators: ({ apks }) => indicatorTable(sharedIndicators(apks)),
};

/** Makes pages about several APKs. */
export class GroupPages {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The page. */
  async of({ title, apkIds, note, about }: PageSubject, { sections, ...look }: GroupOrder): Promise<string> {
    const found = await this.#store.apks.findByIds(apkIds);
    const apks = await indicatorsOf(
      this.#store,
      apkIds.flatMap((id) => found.get(id) ?? []),
    );
    const span = { offset: 0, limit: maxShown + 1 };
    const entries = about === null ? [] : await this.#store.cases.entries(about.id, undefined, span);
    const known = { apks, about, entries };
    const chosen = sections === undefined ? groupSections : groupSections.filter((name) => sections.includes(name));
    const content = html`<header><div><h1>${title}</h1>${apks.length} APKs${about === null || about.people.length === 0 ? null : `, by ${about.people.join(', ')}`}</div></header>
${note === '' ? null : html`<p class="text">${note}</p>`}
${chosen.map((name) => sectionWriters[name](known))}`;
    return framedPage(`${title}: report`, content, look, this.#store.clock());
  }
}
