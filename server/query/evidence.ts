// What the fields mean that look for evidence: findings, signers, hosts, code, risk. Reads nothing.
import type { MarkField } from '../contract/engine/report-terms.ts';
import { severities } from '../contract/findings/finding.ts';
import { type RiskLevel, riskLevels } from '../contract/findings/risk.ts';
import { nothing, type SearchExpression, type TermFit } from '../store/search/search-expression.ts';
import { SearchError } from './syntax.ts';
import { type ReadSpan, readNumber } from './values.ts';

/** A value that is looked for as a whole, or at the beginning of others. */
export interface Wanted {
  text: string;
  isPrefix: boolean;
}

const wholeOrStart = ({ isPrefix }: Wanted): TermFit['fit'] => (isPrefix ? 'start' : 'whole');

export function markMatch(field: MarkField, wanted: Wanted): SearchExpression {
  const { text } = wanted;
  switch (field) {
    case 'finding':
    case 'known':
      return { kind: 'mark', field, text: text.toLowerCase(), fit: wholeOrStart(wanted) };
    case 'technique':
      return { kind: 'mark', field, text: text.toUpperCase(), fit: wanted.isPrefix ? 'start' : 'below' };
    case 'tracker':
    case 'library':
    case 'list':
    case 'api':
      return { kind: 'mark', field, text, fit: 'part' };
  }
}

/** A domain, and those below it. */
export function domainMatch({ text, isPrefix }: Wanted): SearchExpression {
  const name = text.toLowerCase().replace(/^\*?\.|\.$/g, '');
  return { kind: 'term', field: 'domain', text: name, fit: isPrefix ? 'start' : 'domain' };
}

export function addressMatch(wanted: Wanted): SearchExpression {
  const text = wanted.text.toLowerCase().replace(/^\[|\]$/g, '');
  return { kind: 'term', field: 'ip', text, fit: wholeOrStart(wanted) };
}

/** Letters of a SHA-256, the longest digest there is. */
const longestDigest = 64;
const digestLengths: readonly number[] = [40, longestDigest];

/** The certificate's digest where it is one, else nothing. */
export function certificateMatch({ text, isPrefix }: Wanted): SearchExpression {
  const hash = text.replaceAll(':', '').toLowerCase();
  const isDigest = /^[0-9a-f]+$/.test(hash) && hash.length <= longestDigest;
  return isDigest && (isPrefix || digestLengths.includes(hash.length)) ? { kind: 'certificate', hash } : nothing;
}

/** The certificate's digest, or a part of its subject. */
export function signerMatch(wanted: Wanted): SearchExpression {
  const subject: SearchExpression = { kind: 'term', field: 'signer', text: wanted.text, fit: 'part' };
  const digest = certificateMatch(wanted);
  return digest === nothing ? subject : { kind: 'or', parts: [digest, subject] };
}

/** `Lcom/example/A;->run(I)V` as `com.example.A.run`; other ways to write a name stay. */
function dottedName(text: string): string {
  const [name = ''] = text.split('(');
  return name
    .replace(/^L(?=[^.;]*\/|[^./;]*;)/, '')
    .replaceAll(/;->|;\.?/g, '.')
    .replaceAll('/', '.')
    .replace(/\.+$/, '');
}

/** Fewer letters begin names in all apps. */
const leastLetters = 3;

/** A class or method as a whole, a package with `.*`, or the beginning of a name with `*`. */
export function nameMatch(field: 'class' | 'api', { text, isPrefix, position }: Wanted & { position: number }) {
  const dotted = dottedName(text);
  // Anonymous classes and lambdas belong to the class around them.
  const name = `${field}:${field === 'class' ? dotted.replace(/(?<=.)\$[$\d].*$/, '') : dotted}`;
  if (dotted === '') return nothing;
  if (!isPrefix) return { kind: 'name', names: [name], isPrefix } as const;
  if (/[./]$|;->$/.test(text)) return { kind: 'name', names: [name, `${name}.`], isPrefix: false } as const;
  if (dotted.length - dotted.lastIndexOf('.') <= leastLetters)
    throw new SearchError(
      `At least ${leastLetters} letters of a name stand before "*", or a "." behind a package.`,
      position,
    );
  return { kind: 'name', names: [name], isPrefix } as const;
}

/** A score, or a level and the scores that belong to it. */
export const readRisk: ReadSpan = (text, position) => {
  const levels = Object.keys(riskLevels) as RiskLevel[];
  const place = levels.indexOf(text.toLowerCase() as RiskLevel);
  if (place < 0) {
    if (/^[a-z]+$/i.test(text)) throw new SearchError(`A risk is a number or ${levels.join(', ')}.`, position);
    return readNumber(text, position);
  }
  const next = levels[place + 1];
  return { first: riskLevels[levels[place]!], last: next === undefined ? 100 : riskLevels[next] - 1 };
};

export const readSeverity: ReadSpan = (text, position) => {
  const place = (severities as readonly string[]).indexOf(text.toLowerCase());
  if (place < 0) throw new SearchError(`A severity is ${severities.join(', ')}.`, position);
  return { first: place, last: place };
};
