// A page about one APK for people: one file of HTML that opens anywhere, with what was judged and what it rests on. Knows
// nothing of HTTP.
import type { PageSection } from '../../contract/catalogue/apk-page.ts';
import { pageSections } from '../../contract/catalogue/apk-page.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { ExplainedRisk, Risks } from '../triage/risks.ts';
import { type IndicatorsOfApk, indicatorsOf } from './indicators.ts';
import { day, framedPage, indicatorTable, maxShown, type PageLook, rest } from './page-frame.ts';

export interface PageOrder extends PageLook {
  sections: readonly PageSection[] | undefined;
}

const maxEvidence = 3;
/** What browsers show as a picture; a drawing among them runs and loads nothing within an `img`. */
const pictureTypes = /^image\/(?:png|jpeg|webp|gif|svg\+xml)$/;

interface Known {
  apk: ApkRecord;
  named: IndicatorsOfApk;
  /** Null before the first report. */
  risk: ExplainedRisk | null;
  rules: readonly string[];
  /** What analysts said, the newest first. */
  said: readonly { verdict: string; family: string; note: string; username: string; createdAt: number }[];
}

const sectionWriters: Readonly<Record<PageSection, (known: Known) => Html | null>> = {
  verdict: ({ apk, named, said }) => html`<h2>Verdict</h2>
<p><b>${apk.verdict}</b>${named.family === '' ? null : html`, family <b>${named.family}</b>`}</p>
${said.map(({ verdict, family, note, username, createdAt }) => html`<p>${note === '' ? verdict : note}<br><small>${username} on ${day(createdAt)}: ${verdict}${family === '' ? null : `, ${family}`}</small></p>`)}`,

  risk: ({ risk }) =>
    risk === null
      ? html`<h2>Risk</h2><p>It has not been analysed yet.</p>`
      : html`<h2>Risk: ${risk.score} of 100, ${risk.level}</h2>
<table><thead><tr><th>Points</th><th>What was found</th><th>Where</th></tr></thead><tbody>
${risk.parts.slice(0, maxShown).map(({ points, title, reason, count, evidence }) => html`<tr><td>+${points}</td><td><b>${title}</b>${count > 1 ? ` (${count})` : null}<br><small>${reason}</small></td><td>${evidence.slice(0, maxEvidence).map(({ where, text }) => html`<code>${where} ${text}</code><br>`)}</td></tr>`)}
</tbody></table>${rest(risk.parts.length)}`,

  techniques: ({ risk }) =>
    risk === null || risk.techniques.length === 0
      ? null
      : html`<h2>Techniques of MITRE ATT&amp;CK for Mobile</h2>
<table><thead><tr><th>Technique</th><th>Tactics</th><th>Shown by</th></tr></thead><tbody>
${risk.techniques.map(({ id, name, tactics, evidence }) => html`<tr><td>${id} ${name}</td><td>${tactics.join(', ')}</td><td>${evidence.slice(0, maxEvidence).map(({ name: shown, where }) => html`${shown} <code>${where}</code><br>`)}</td></tr>`)}
</tbody></table>`,

  signer: ({ apk, named }) => {
    const certificate = named.indicators.find(({ kind }) => kind === 'certificate');
    return html`<h2>Signer</h2>
<dl><dt>Organisation</dt><dd>${apk.company}</dd><dt>Certificate</dt><dd>${certificate === undefined ? 'not signed, or not valid' : html`<code>${certificate.value}</code>`}</dd></dl>`;
  },

  rules: ({ rules }) =>
    rules.length === 0
      ? null
      : html`<h2>Rules that match</h2>
<ul>${rules.slice(0, maxShown).map((rule) => html`<li><code>${rule}</code></li>`)}</ul>${rest(rules.length)}`,

  indicators: ({ named }) => indicatorTable(named.indicators),
};

/** Makes pages about APKs. */
export class ApkPages {
  readonly #store: Store;
  readonly #catalogue: Catalogue;
  readonly #risks: Risks;

  constructor(store: Store, catalogue: Catalogue, risks: Risks) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#risks = risks;
  }

  /** The page, as far as its reader may see rulesets. @throws Failure `not-found` */
  async of(sha256: string, viewer: AccountRecord, { sections, ...look }: PageOrder): Promise<string> {
    const known = await this.#known(await this.#catalogue.get(sha256), viewer);
    const chosen = sections === undefined ? pageSections : pageSections.filter((name) => sections.includes(name));
    const { apk } = known;
    const body = html`<header>${await this.#icon(sha256)}<div><h1>${apk.app || apk.packageName || sha256}</h1>${apk.packageName} ${apk.version}</div></header>
<h2>File</h2>
<dl><dt>SHA-256</dt><dd><code>${apk.sha256}</code></dd><dt>SHA-1</dt><dd><code>${apk.sha1}</code></dd><dt>MD5</dt><dd><code>${apk.md5}</code></dd><dt>Size</dt><dd>${apk.size} bytes</dd><dt>Here since</dt><dd>${day(apk.createdAt)}</dd></dl>
${chosen.map((name) => sectionWriters[name](known))}`;
    return framedPage(`${apk.app || apk.packageName || sha256}: report`, body, look, this.#store.clock());
  }

  async #known(apk: ApkRecord, viewer: AccountRecord): Promise<Known> {
    const [named] = await indicatorsOf(this.#store, [apk]);
    const risk = await this.#risks.of(apk).catch((error: unknown) => {
      if (error instanceof Failure && error.id === 'no-report') return null;
      throw error;
    });
    const filter = { apkId: apk.id, readerId: viewer.id };
    const matches = await this.#store.matches.page({ filter, limit: maxShown });
    const rules = [...new Set(matches.items.flatMap(({ rules: matched }) => matched.map(({ name }) => name)))];
    const { items: said } = await this.#store.verdicts.page({ apkId: apk.id, limit: maxShown });
    return { apk, named: named!, risk, rules, said };
  }

  async #icon(sha256: string): Promise<Html | null> {
    const icon = await this.#catalogue.icon(sha256).catch((error: unknown) => {
      if (error instanceof Failure && error.id === 'not-found') return null;
      throw error;
    });
    if (icon === null || !pictureTypes.test(icon.mediaType)) return null;
    return html`<img src="data:${icon.mediaType};base64,${icon.bytes.toString('base64')}" alt="">`;
  }
}
