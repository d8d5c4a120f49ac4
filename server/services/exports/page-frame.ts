// What all pages for people have: the mark of who may read them, their style and end, and tables that several show. Knows
// nothing of what a page is about.
import type { TlpMark } from '../../contract/catalogue/apk-page.ts';
import { type Html, html, htmlPage } from '../html.ts';
import { defanged, type Indicator } from './indicators.ts';
import { pageStyle } from './page-style.ts';

/** Shown of each list; the page says how many there are. */
export const maxShown = 200;

/** `2026-03-01` of microseconds since 1970 UTC. */
export const day = (microseconds: number): string => new Date(microseconds / 1000).toISOString().slice(0, 10);

/** How many of a list are not shown; nothing where all are. */
export const rest = (count: number): Html | null =>
  count > maxShown ? html`<p><small>${count - maxShown} more are not shown.</small></p>` : null;

/** What others can look for, so that no program opens it by chance. */
export const indicatorTable = (indicators: readonly Indicator[]): Html => html`<h2>Indicators</h2>
<p><small>Hosts are written so that no program opens them by chance.</small></p>
<table><thead><tr><th>Kind</th><th>Value</th><th>Seen</th></tr></thead><tbody>
${indicators.slice(0, maxShown).map((indicator) => html`<tr><td>${indicator.kind}</td><td><code>${defanged(indicator)}</code></td><td>${indicator.isContacted ? 'a run spoke to it' : 'in the app'}</td></tr>`)}
</tbody></table>${rest(indicators.length)}`;

/** What a page looks like, whatever it is about. */
export interface PageLook {
  tlp: TlpMark | undefined;
  /** A picture as a data URL; empty: none. */
  logo: string;
}

/** A whole page. @param made microseconds since 1970 UTC */
export function framedPage(title: string, content: Html, { tlp, logo }: PageLook, made: number): string {
  const mark =
    tlp === undefined
      ? null
      : html`<p><span class="tlp tlp-${tlp.replace('+strict', '')}">TLP:${tlp.toUpperCase()}</span></p>`;
  const when = new Date(made / 1000).toISOString().slice(0, 16).replace('T', ' ');
  const body = html`${logo === '' ? null : html`<p><img class="logo" src="${logo}" alt=""></p>`}${mark}
${content}
<p><small>Made by APK Workstation on ${when} UTC.</small></p>
${mark}`;
  return htmlPage(title, pageStyle, body);
}
