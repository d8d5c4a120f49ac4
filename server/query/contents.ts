// Contents of files that a search names: texts, and bytes with places for any. Reads nothing.
import { type ContentTerm, contentTermSchema, leastContentBytes } from '../contract/engine/content-search.ts';
import { SearchError, type SearchValue } from './syntax.ts';

/** Equal for equal contents. */
export const contentKey = (content: ContentTerm): string =>
  content.kind === 'text' ? `text ${content.text}` : `bytes ${content.bytes}`;

/** What is to be found in a file. @throws SearchError */
export function readContent(value: SearchValue): ContentTerm {
  const content = value.kind === 'bytes' ? bytesOf(value) : textOf(value);
  if (contentTermSchema.safeParse(content).success) return content;
  throw new SearchError('A content has at most 400 letters or bytes.', value.position);
}

function textOf(value: SearchValue): ContentTerm {
  if (value.kind !== 'text') throw new SearchError('A content has no order to compare by.', value.position);
  if (value.distance > 0) throw new SearchError('Contents are not searched fuzzily.', value.position);
  if (value.text.length < leastContentBytes)
    throw new SearchError(`A content has at least ${leastContentBytes} letters.`, value.position);
  return { kind: 'text', text: value.text };
}

/** `de ad ?? b? ef`, in any case. */
function bytesOf({ text, position }: { text: string; position: number }): ContentTerm {
  const bytes = text.replace(/\s+/g, '').toLowerCase();
  if (!/^(?:[\da-f?]{2})+$/.test(bytes))
    throw new SearchError('Bytes are pairs of hex digits, "?" for any: {de ad ?? be}. Jumps are for rules.', position);
  if (bytes.length / 2 < leastContentBytes)
    throw new SearchError(`A content has at least ${leastContentBytes} bytes.`, position);
  const hasTwo = /^(?:..)*?[\da-f]{4}/.test(bytes);
  if (!hasTwo) throw new SearchError('Two bytes in a row have to be written out.', position);
  return { kind: 'bytes', bytes };
}

/** As a search names it. */
export const shownContent = (content: ContentTerm): string =>
  content.kind === 'text' ? `content:"${content.text}"` : `content:{${content.bytes.replace(/..(?!$)/g, '$& ')}}`;
