// org.xmlpull: a small tolerant pull parser over text, bounded. Knows no documents, schemas or external entities.
import type { HeapObject, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { readAll } from '../io/byte-input.ts';
import { readAllText } from '../io/readers.ts';
import { canonicalCharset, decodeBytes } from '../nio/charset-codec.ts';
import { instance, optionalText, outOfBounds, type Reference, textOf } from '../values.ts';

const PARSER = 'Lorg/xmlpull/v1/XmlPullParser;';
const FACTORY = 'Lorg/xmlpull/v1/XmlPullParserFactory;';
const S = 'Ljava/lang/String;';

/** Open elements; deeper ones are refused. */
const MAXIMUM_DEPTH = 1000;

const START_DOCUMENT = 0;
const END_DOCUMENT = 1;
const START_TAG = 2;
const END_TAG = 3;
const TEXT = 4;

interface ParserState {
  text: string;
  taint: Taint;
  at: number;
  event: number;
  /** Names of open elements. */
  open: string[];
  /** Name of the current tag; null outside of tags. */
  name: string | null;
  attributes: [string, string][];
  content: string;
  isEmpty: boolean;
}

function begin(self: HeapObject, text: string, taint: Taint): undefined {
  const state: ParserState = {
    text: text.replace(/^\ufeff/, ''),
    taint,
    at: 0,
    event: START_DOCUMENT,
    open: [],
    name: null,
    attributes: [],
    content: '',
    isEmpty: false,
  };
  self.native = state;
}

const stateOf = (self: HeapObject): ParserState => self.native as ParserState;

function fault(machine: Machine, state: ParserState, message: string) {
  return machine.exception('Lorg/xmlpull/v1/XmlPullParserException;', `${message} (position ${state.at})`);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Character references and the five entities; others stay as they are. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Moves to the next event and returns it. @throws JavaThrow XmlPullParserException */
function next(machine: Machine, self: HeapObject): number {
  const state = stateOf(self);
  if (state.event === START_TAG && state.isEmpty) return close(state);
  if (state.event === END_TAG) state.open.pop();
  let content = '';
  for (;;) {
    const mark = state.text.indexOf('<', state.at);
    const end = mark < 0 ? state.text.length : mark;
    content += unescapeXml(state.text.slice(state.at, end));
    state.at = end;
    if (mark < 0) {
      if (state.open.length > 0) throw fault(machine, state, `expected: /${state.open.at(-1)} read: end of document`);
      state.event = END_DOCUMENT;
      return END_DOCUMENT;
    }
    const skipped = skipMarkup(machine, state);
    if (skipped !== null) {
      content += skipped;
      continue;
    }
    // Text outside the root element is no event.
    if (content !== '' && state.open.length > 0) {
      state.content = content;
      state.event = TEXT;
      return TEXT;
    }
    return tag(machine, state);
  }
}

/** Comments, instructions, declarations give nothing, CDATA its text; null for a tag. */
function skipMarkup(machine: Machine, state: ParserState): string | null {
  const { text, at } = state;
  const kinds = [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
    ['<!', '>'],
  ] as const;
  for (const [start, end] of kinds) {
    if (!text.startsWith(start, at)) continue;
    const stop = text.indexOf(end, at + start.length);
    if (stop < 0) throw fault(machine, state, 'unterminated markup');
    state.at = stop + end.length;
    return start === '<![CDATA[' ? text.slice(at + start.length, stop) : '';
  }
  return null;
}

function close(state: ParserState): number {
  state.isEmpty = false;
  state.event = END_TAG;
  return END_TAG;
}

function tag(machine: Machine, state: ParserState): number {
  const closing = /^<\/([^\s>]+)\s*>/.exec(state.text.slice(state.at, state.at + 1000));
  if (closing !== null) {
    const name = localName(closing[1]!);
    if (state.open.at(-1) !== name) throw fault(machine, state, `expected: /${state.open.at(-1)} read: ${name}`);
    state.at += closing[0].length;
    state.name = name;
    state.event = END_TAG;
    return END_TAG;
  }
  const opening = /^<([^\s/>=<]+)/.exec(state.text.slice(state.at, state.at + 1000));
  if (opening === null) throw fault(machine, state, 'unexpected <');
  state.at += opening[0].length;
  state.attributes = [];
  // Sticky: each attribute is looked for where the last one ended.
  const attribute = /\s+([^\s=/><]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  for (;;) {
    attribute.lastIndex = state.at;
    const found = attribute.exec(state.text);
    if (found === null) break;
    state.at = attribute.lastIndex;
    state.attributes.push([found[1]!, unescapeXml(found[2] ?? found[3] ?? '')]);
    machine.charge(64);
  }
  const end = /^\s*(\/?)>/.exec(state.text.slice(state.at, state.at + 1000));
  if (end === null) throw fault(machine, state, 'expected >');
  state.at += end[0].length;
  if (state.open.length >= MAXIMUM_DEPTH) throw fault(machine, state, 'too deep');
  state.name = localName(opening[1]!);
  state.open.push(state.name);
  state.isEmpty = end[1] === '/';
  state.event = START_TAG;
  return START_TAG;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function attributeAt(machine: Machine, self: HeapObject, index: number): [string, string] {
  const found = stateOf(self).attributes[index];
  if (found === undefined) throw outOfBounds(machine, `index ${index}`);
  return found;
}

const text = (machine: Machine, self: HeapObject, value: string | null): JavaString | null =>
  value === null ? null : machine.string(value, stateOf(self).taint);

function nextText(machine: Machine, self: HeapObject): JavaString {
  const state = stateOf(self);
  if (state.event !== START_TAG) throw fault(machine, state, 'parser must be on START_TAG to read next text');
  let content = '';
  let event = next(machine, self);
  if (event === TEXT) {
    content = state.content;
    event = next(machine, self);
  }
  if (event !== END_TAG) throw fault(machine, state, 'END_TAG expected');
  return machine.string(content, state.taint);
}

const methods: NativeMethods = {
  'setInput(Ljava/io/Reader;)V': (machine, self, reader: Reference) => {
    const whole = readAllText(machine, reader);
    return begin(self, whole.text, whole.taint);
  },
  [`setInput(Ljava/io/InputStream;${S})V`]: (machine, self, stream: Reference, encoding: Reference) => {
    const { data, taint } = readAll(machine, stream);
    const declared = /encoding=["']([\w-]+)["']/.exec(Buffer.from(data.subarray(0, 200)).toString('latin1'))?.[1];
    return begin(
      self,
      decodeBytes(data, canonicalCharset(optionalText(encoding) ?? declared ?? 'UTF-8') ?? 'UTF-8'),
      taint,
    );
  },
  'next()I': next,
  'nextToken()I': next,
  'nextTag()I': (machine, self) => {
    let event = next(machine, self);
    if (event === TEXT && stateOf(self).content.trim() === '') event = next(machine, self);
    if (event !== START_TAG && event !== END_TAG) throw fault(machine, stateOf(self), 'unexpected type');
    return event;
  },
  [`nextText()${S}`]: nextText,
  'getEventType()I': (_machine, self) => stateOf(self).event,
  'getDepth()I': (_machine, self) => stateOf(self).open.length,
  [`getName()${S}`]: (machine, self) => {
    const { event, name } = stateOf(self);
    return event === START_TAG || event === END_TAG ? text(machine, self, name) : null;
  },
  [`getText()${S}`]: (machine, self) =>
    stateOf(self).event === TEXT ? text(machine, self, stateOf(self).content) : null,
  'isWhitespace()Z': (_machine, self) => stateOf(self).content.trim() === '',
  'isEmptyElementTag()Z': (_machine, self) => stateOf(self).isEmpty,
  'getAttributeCount()I': (_machine, self) =>
    stateOf(self).event === START_TAG ? stateOf(self).attributes.length : -1,
  [`getAttributeName(I)${S}`]: (machine, self, index: number) =>
    text(machine, self, localName(attributeAt(machine, self, index)[0])),
  [`getAttributeValue(I)${S}`]: (machine, self, index: number) =>
    text(machine, self, attributeAt(machine, self, index)[1]),
  [`getAttributeNamespace(I)${S}`]: (machine) => machine.string(''),
  [`getAttributePrefix(I)${S}`]: () => null,
  [`getAttributeValue(${S}${S})${S}`]: (machine, self, _namespace, name: Reference) => {
    const wanted = textOf(machine, name);
    const found = stateOf(self).attributes.find(([own]) => own === wanted || localName(own) === wanted);
    return text(machine, self, found?.[1] ?? null);
  },
  [`getNamespace()${S}`]: (machine) => machine.string(''),
  [`getPrefix()${S}`]: () => null,
  [`getPositionDescription()${S}`]: (machine, self) => machine.string(`@${stateOf(self).at}`),
  'getLineNumber()I': (_machine, self) => stateOf(self).text.slice(0, stateOf(self).at).split('\n').length,
  'getColumnNumber()I': () => -1,
  [`require(I${S}${S})V`]: (machine, self, event: number, _namespace, name: Reference) => {
    const state = stateOf(self);
    const isOther = name !== null && textOf(machine, name) !== state.name;
    if (state.event !== event || isOther) throw fault(machine, state, 'unexpected event');
  },
  [`setFeature(${S}Z)V`]: () => undefined,
  [`getFeature(${S})Z`]: () => 0,
  [`setProperty(${S}Ljava/lang/Object;)V`]: () => undefined,
};

/** A pull parser without input, as `android.util.Xml.newPullParser` gives. */
export function newPullParser(machine: Machine): HeapObject {
  const parser = instance(machine, 'Lorg/kxml2/io/KXmlParser;', null);
  begin(parser, '', 0);
  return parser;
}

export const pullParserModels: Record<string, ModelClass> = {
  [PARSER]: {
    isInterface: true,
    abstractMethods: Object.keys(methods),
    constants: {
      'START_DOCUMENT:I': START_DOCUMENT,
      'END_DOCUMENT:I': END_DOCUMENT,
      'START_TAG:I': START_TAG,
      'END_TAG:I': END_TAG,
      'TEXT:I': TEXT,
      [`FEATURE_PROCESS_NAMESPACES:${S}`]: 'http://xmlpull.org/v1/doc/features.html#process-namespaces',
    },
  },
  'Lorg/kxml2/io/KXmlParser;': {
    implements: [PARSER],
    methods: {
      ...methods,
      '<init>()V': (_machine, self) => begin(self, '', 0),
    },
  },
  [FACTORY]: {
    staticMethods: { [`newInstance()${FACTORY}`]: (machine) => machine.allocate(FACTORY) },
    methods: {
      'setNamespaceAware(Z)V': () => undefined,
      'setValidating(Z)V': () => undefined,
      [`setFeature(${S}Z)V`]: () => undefined,
      [`newPullParser()${PARSER}`]: newPullParser,
    },
  },
};
