// How `triage` shows what it finds: a table, JSON lines, CSV, or one page of HTML. Runs nothing.
import { csvRow } from '../../contract/csv.ts';
import type { Severity } from '../../contract/findings/finding.ts';
import { jsonLine } from '../../contract/json-line.ts';
import { html, htmlPage } from '../../services/html.ts';
import { Table } from '../table-output.ts';
import { triageStyle } from './triage-style.ts';
import type { ApkEvidence, TriagedApk, TriageFailure } from './triaged-apk.ts';

export interface UnreadFile {
  file: string;
  error: TriageFailure;
}

export interface TriageResult {
  /** The riskiest first. */
  apks: readonly TriagedApk[];
  unread: readonly UnreadFile[];
}

/** The weightiest parts, as many as one takes in at a glance. */
const partsShown = 3;

const reasonsOf = ({ risk }: TriagedApk) => risk.parts.slice(0, partsShown);
const whyOf = (apk: TriagedApk): string =>
  reasonsOf(apk)
    .map(({ title }) => title)
    .join('; ');
const familyOf = ({ family }: TriagedApk): string => (family === null ? '' : `${family.name} (${family.members})`);
/** Enough of a fingerprint to tell signers of a run apart. */
const shortSigner = ({ evidence: { company, signer } }: TriagedApk): string =>
  signer === null ? 'not signed' : `${company} ${signer.slice(0, 8)}`.trim();
const nearOf = ({ neighbours }: TriagedApk): string =>
  neighbours.map(({ file, score }) => `${file} ${Math.round(score * 100)} %`).join(', ');
const versionedName = ({ evidence: { packageName, versionName } }: TriagedApk): string =>
  `${packageName} ${versionName}`.trim();

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const countsOf = ({ findings }: ApkEvidence) =>
  Object.fromEntries(
    severities.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length]),
  );

/** One JSON object per APK, then one per file that could not be read. */
export const triageJson = ({ apks, unread }: TriageResult): string =>
  [
    ...apks.map(({ sha256, files: [file, ...duplicates], evidence, risk, family, neighbours }) => ({
      ...{ sha256, file, duplicates, status: evidence.status },
      ...{ package_name: evidence.packageName, app_name: evidence.appName, version: evidence.versionName },
      signer: evidence.signer === null ? null : { sha256: evidence.signer, company: evidence.company },
      ...{ risk, findings: countsOf(evidence), family, neighbours },
    })),
    ...unread,
  ]
    .map(jsonLine)
    .join('');

/** A row per APK; lists are separated by line breaks in their cells. */
export const triageCsv = ({ apks }: TriageResult): string =>
  [
    csvRow([
      ...['risk', 'level', 'file', 'sha256', 'package_name', 'app_name', 'version', 'why', 'family'],
      ...['signer', 'signer_company', 'duplicates', 'neighbours'],
    ]),
    ...apks.map((apk) => {
      const { sha256, files, evidence, risk, family } = apk;
      const [file = '', ...duplicates] = files;
      const { packageName, appName, versionName, signer, company } = evidence;
      return csvRow([
        ...[risk.score, risk.level, file, sha256, packageName, appName, versionName],
        ...[whyOf(apk), family?.name ?? '', signer ?? '', company, duplicates.join('\n')],
        apk.neighbours.map((near) => `${near.file} ${near.score} ${near.reason}`).join('\n'),
      ]);
    }),
  ].join('');

const columns = [
  { title: 'RISK', share: 9 },
  { title: 'FILE', share: 22, showsEnd: true },
  { title: 'PACKAGE', share: 18 },
  { title: 'WHY', share: 30 },
  { title: 'FAMILY', share: 12 },
  { title: 'SIGNER', share: 12 },
  { title: 'SAME', share: 4 },
  { title: 'NEIGHBOURS', share: 16 },
];

/** @param width columns of the terminal; null: there is none */
export function triageTable({ apks, unread }: TriageResult, width: number | null): string {
  const table = new Table<TriagedApk>(
    columns,
    (apk) => [
      [
        ...[`${apk.risk.score} ${apk.risk.level}`, apk.files[0]!, versionedName(apk), whyOf(apk), familyOf(apk)],
        ...[shortSigner(apk), apk.files.length > 1 ? `+${apk.files.length - 1}` : '', nearOf(apk)],
      ],
    ],
    width,
  );
  const failures = new Table<UnreadFile>(
    [
      { title: 'NOT READ', share: 50, showsEnd: true },
      { title: 'REASON', share: 50 },
    ],
    ({ file, error }) => [[file, error.message]],
    width,
  );
  const failed = unread.length === 0 ? '' : `\n${unread.map((each) => failures.show(each)).join('')}${failures.end()}`;
  return `${apks.map((apk) => table.show(apk)).join('')}${table.end()}${failed}`;
}

/** @param made when, as people read it */
export function triageHtml({ apks, unread }: TriageResult, made: string): string {
  const rows = apks.map(
    (apk) => html`<tr class="${apk.risk.level}">
<td class="risk"><b>${apk.risk.score}</b> ${apk.risk.level}</td>
<td><b>${apk.evidence.appName}</b><br>${versionedName(apk)}<br>${apk.files.map((file) => html`<code>${file}</code><br>`)}<small>${apk.sha256}</small></td>
<td><ul>${reasonsOf(apk).map(
      ({ title, points, evidence: [first] }) =>
        html`<li>${title} <small>+${points}</small>${first === undefined ? null : html`<br><code>${first.where} ${first.text}</code>`}</li>`,
    )}</ul></td>
<td>${familyOf(apk)}</td>
<td>${apk.evidence.company}<br><small>${apk.evidence.signer ?? 'not signed'}</small></td>
<td><ul>${apk.neighbours.map(
      ({ file, score, reason }) =>
        html`<li><code>${file}</code> ${Math.round(score * 100)} %<br><small>${reason}</small></li>`,
    )}</ul></td>
</tr>`,
  );
  const title = `Triage of ${apks.length} APKs`;
  const failed = html`<h2>Not read</h2>
<table><tr><th>File</th><th>Reason</th></tr>
${unread.map(({ file, error }) => html`<tr><td><code>${file}</code></td><td>${error.message}</td></tr>`)}</table>`;
  const body = html`<h1>${title}</h1>
<p>${made}. The riskiest first; what is alike is alike within this run.</p>
<table><thead><tr><th>Risk</th><th>App</th><th>Why</th><th>Family</th><th>Signer</th><th>Neighbours</th></tr></thead>
<tbody>${rows}</tbody></table>
${unread.length === 0 ? null : failed}`;
  return htmlPage(title, triageStyle, body);
}
