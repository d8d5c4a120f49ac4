// XML text as the events that SAX and DOM are made of: tolerant, bounded. Knows no class and no external entity.
import { unescapeXml } from './pull-parser.ts';

export type XmlEvent =
  | { readonly kind: 'start'; readonly name: string; readonly attributes: readonly (readonly [string, string])[] }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text' | 'cdata' | 'comment'; readonly text: string }
  | { readonly kind: 'instruction'; readonly target: string; readonly text: string };

/** Why a text is no document, and where. */
export class XmlFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Open elements; deeper ones are refused. */
const maxDepth = 1_000;
/** Events of one document; what an app reads has thousands. */
const maxEvents = 500_000;
/** A tag's head without its attributes. */
const maxHead = 1_000;

const markup = [
  ['<!--', '-->', 'comment'],
  ['<![CDATA[', ']]>', 'cdata'],
  ['<?', '?>', 'instruction'],
] as const;

/** @throws XmlFault */
export function* xmlEvents(document: string): Generator<XmlEvent> {
  const text = document.replace(/^\ufeff/, '');
  const open: string[] = [];
  const attribute = /\s+([^\s=/><]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  let hasRoot = false;
  let at = 0;
  for (let count = 0; count < maxEvents; count++) {
    const mark = text.indexOf('<', at);
    const end = mark < 0 ? text.length : mark;
    if (end > at && open.length > 0) yield { kind: 'text', text: unescapeXml(text.slice(at, end)) };
    else if (text.slice(at, end).trim() !== '') throw new XmlFault('text outside the root element', at);
    at = end;
    if (mark < 0) {
      if (open.length > 0 || !hasRoot) throw new XmlFault('no element found', at);
      return;
    }
    const kind = markup.find(([start]) => text.startsWith(start, at));
    if (kind !== undefined) {
      const [start, close, name] = kind;
      const stop = text.indexOf(close, at + start.length);
      if (stop < 0) throw new XmlFault('unclosed token', at);
      const content = text.slice(at + start.length, stop);
      at = stop + close.length;
      if (name !== 'instruction') yield { kind: name, text: content };
      else if (!/^xml\s/i.test(content)) {
        const [target = '', ...rest] = content.split(/\s/);
        yield { kind: name, target, text: rest.join(' ').trim() };
      }
      continue;
    }
    if (text.startsWith('<!', at)) {
      at = endOfDeclaration(text, at);
      continue;
    }
    const closing = /^<\/([^\s>]+)\s*>/.exec(text.slice(at, at + maxHead));
    if (closing !== null) {
      const name = closing[1]!;
      if (open.pop() !== name) throw new XmlFault('mismatched tag', at);
      at += closing[0].length;
      yield { kind: 'end', name };
      continue;
    }
    const opening = /^<([^\s/>=<]+)/.exec(text.slice(at, at + maxHead));
    if (opening === null || (open.length === 0 && hasRoot)) throw new XmlFault('not well-formed (invalid token)', at);
    const name = opening[1]!;
    at += opening[0].length;
    const attributes: [string, string][] = [];
    for (;;) {
      attribute.lastIndex = at;
      const found = attribute.exec(text);
      if (found === null) break;
      at = attribute.lastIndex;
      attributes.push([found[1]!, unescapeXml(found[2] ?? found[3] ?? '')]);
    }
    const finish = /^\s*(\/?)>/.exec(text.slice(at, at + maxHead));
    if (finish === null) throw new XmlFault('not well-formed (invalid token)', at);
    at += finish[0].length;
    hasRoot = true;
    yield { kind: 'start', name, attributes };
    if (finish[1] === '/') yield { kind: 'end', name };
    else if (open.push(name) > maxDepth) throw new XmlFault('elements nest too deeply', at);
  }
  throw new XmlFault('too many elements', at);
}

/** A document type, with declarations in square brackets or without: nothing of it is read. */
function endOfDeclaration(text: string, at: number): number {
  const bracket = text.indexOf('[', at);
  const plain = text.indexOf('>', at);
  if (plain < 0) throw new XmlFault('unclosed token', at);
  if (bracket < 0 || bracket > plain) return plain + 1;
  const end = text.indexOf(']', bracket);
  const close = end < 0 ? -1 : text.indexOf('>', end);
  if (close < 0) throw new XmlFault('unclosed token', at);
  return close + 1;
}

/** The name behind its namespace's prefix. */
export const localNameOf = (name: string): string => name.slice(name.indexOf(':') + 1);
