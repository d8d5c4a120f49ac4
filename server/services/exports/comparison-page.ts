// A page for people about how two APKs differ. Knows nothing of HTTP, nor how they are compared.
import type { ComparisonSection } from '../../contract/catalogue/apk-page.ts';
import { comparisonSections } from '../../contract/catalogue/apk-page.ts';
import type { ComparedList, Comparison, Facts } from '../../contract/engine/comparison.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import { type Html, html } from '../html.ts';
import { framedPage, maxShown, type PageLook } from './page-frame.ts';

const titles: Readonly<Record<ComparisonSection, string>> = {
  manifest: 'Manifest',
  app: 'App',
  permissions: 'Permissions',
  components: 'Components',
  certificate: 'Certificate',
  files: 'Files',
  resources: 'Resources',
  strings: 'Strings',
  native: 'Native code',
  code: 'Code, together',
  functionalities: 'Functionalities',
  libraries: 'Libraries',
  indicators: 'Hosts and addresses',
  findings: 'Findings',
  classes: 'Classes',
  methods: 'Methods',
  fields: 'Fields',
};

const factsOf = (facts: Facts | null): string =>
  facts === null
    ? ''
    : Object.entries(facts)
        .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
        .join(', ');

/** An address opens nowhere by chance. */
const shown = (section: ComparisonSection, text: string): string =>
  section === 'indicators' ? text.replace(/^http/i, 'hxxp').replace('://', '[://]').replaceAll('.', '[.]') : text;

function manifestOf({ manifest }: Comparison): Html | null {
  if (manifest.hunks.length === 0) return null;
  const lines = manifest.hunks.flatMap(({ lines: ofHunk }) => ofHunk);
  return html`<h2>Manifest: ${manifest.removed} lines less, ${manifest.added} more</h2>
${lines.slice(0, maxShown).map((line) => html`<code>${line}</code><br>`)}
${lines.length > maxShown || manifest.is_cut ? html`<p><small>Not all lines are shown.</small></p>` : null}`;
}

function partOf(section: ComparisonSection, { counts, differences, is_cut: isCut }: ComparedList): Html | null {
  if (differences.length === 0) return null;
  const { removed, added, changed, renamed, same } = counts;
  return html`<h2>${titles[section]}</h2>
<p>${same} the same, ${removed} gone, ${added} new, ${changed} changed, ${renamed} renamed</p>
<table><thead><tr><th>What</th><th>Name</th><th>First</th><th>Second</th></tr></thead><tbody>
${differences.slice(0, maxShown).map(({ state, name, to, first, second }) => html`<tr><td>${state}</td><td><code>${shown(section, name)}</code>${to === null ? null : html`<br>now <code>${shown(section, to)}</code>`}</td><td>${factsOf(first)}</td><td>${factsOf(second)}</td></tr>`)}
</tbody></table>
${differences.length > maxShown || isCut ? html`<p><small>Not all differences are shown.</small></p>` : null}`;
}

const headOf = (label: string, apk: ApkRecord): Html =>
  html`<dt>${label}</dt><dd>${apk.app} ${apk.version}<br><small>${apk.packageName}, ${apk.verdict}</small><br><code>${apk.sha256}</code></dd>`;

/** @param apks as they stand side by side. @param made microseconds since 1970 UTC */
export function comparisonPage(
  comparison: Comparison,
  [first, second]: readonly [ApkRecord, ApkRecord],
  { sections, ...look }: PageLook & { sections: readonly ComparisonSection[] | undefined },
  made: number,
): string {
  const chosen = comparisonSections.filter((name) => sections === undefined || sections.includes(name));
  const name = (apk: ApkRecord) => apk.app || apk.packageName || apk.sha256.slice(0, 12);
  const title = `${name(first)} and ${name(second)} compared`;
  const content = html`<header><div><h1>${title}</h1></div></header>
<dl>${headOf('First', first)}${headOf('Second', second)}</dl>
${chosen.map((section) => (section === 'manifest' ? manifestOf(comparison) : partOf(section, comparison.parts[section])))}`;
  return framedPage(title, content, look, made);
}
