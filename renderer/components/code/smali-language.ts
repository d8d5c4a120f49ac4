// Colours and folds smali. Knows nothing of the editor around it.
import { foldService, StreamLanguage, type StringStream } from '@codemirror/language';

const modifiers = new Set(
  'public private protected static final synchronized volatile transient native interface abstract strictfp synthetic annotation enum constructor declared-synchronized bridge varargs build runtime system'.split(
    ' ',
  ),
);

/** `Lcom/a/B;`, with a member behind it where one is named. Names hold almost any character, never these. */
export const smaliReference =
  /(?<![a-z0-9_$/])\[*L[^\s;:"'(){},[\]]+;(?:->(?:<\w+>|[^\s(:,"{}]+)(?:\([^\s)]*\)\[*(?:L[^\s;]+;|[VZBSCIJFD])|:\[*(?:L[^\s;]+;|[ZBSCIJFD])))?/g;

interface SmaliState {
  /** The first word of a line is a directive or an instruction. */
  isLineStart: boolean;
}

function token(stream: StringStream, state: SmaliState): string | null {
  if (stream.sol()) state.isLineStart = true;
  if (stream.eatSpace()) return null;
  const isFirst = state.isLineStart;
  state.isLineStart = false;
  const next = stream.peek();
  if (next === '#') {
    stream.skipToEnd();
    return 'comment';
  }
  if (next === '"') {
    stream.next();
    for (let character = stream.next(); character !== undefined && character !== null && character !== '"'; ) {
      if (character === '\\') stream.next();
      character = stream.next();
    }
    return 'string';
  }
  if (stream.match(/'(?:\\.[^']*|[^'])'/)) return 'string';
  if (
    isFirst &&
    stream.match(
      /\.[\w-]+(?: (?:method|field|annotation|array-data|packed-switch|sparse-switch|subannotation|param|local|restart local))?/,
    )
  ) {
    return 'keyword';
  }
  // Labels begin with a small letter, types behind a field's name with a capital one.
  if (stream.match(/:[a-z][\w$-]*/)) return 'labelName';
  if (stream.match(/\[*L[^\s;:"'(){},[\]]+;/)) return 'typeName';
  if (stream.match(/->(?:<\w+>|[^\s(:,"{}]+)/)) return 'propertyName';
  if (stream.match(/[vp]\d+\b/)) return 'variableName';
  if (stream.match(/-?(?:0x[\da-f]+|\d[\d.]*(?:e[+-]?\d+)?)[LstfFDd]?\b/i)) return 'number';
  if (stream.match(/[\w$<>/-]+/)) {
    const word = stream.current();
    if (isFirst) return 'operatorKeyword';
    if (modifiers.has(word)) return 'modifier';
    return word === 'true' || word === 'false' || word === 'null' ? 'atom' : 'name';
  }
  stream.next();
  return null;
}

export const smaliLanguage = StreamLanguage.define<SmaliState>({
  name: 'smali',
  startState: () => ({ isLineStart: true }),
  token,
});

const openings = /^\s*\.(method|annotation|array-data|packed-switch|sparse-switch)\b/;
/** No method is longer; the search for an end must not run through a text of megabytes at each line. */
const maxFolded = 20_000;

export const smaliFolding = foldService.of((state, start) => {
  const line = state.doc.lineAt(start);
  const opening = openings.exec(line.text)?.[1];
  if (opening === undefined) return null;
  const end = `.end ${opening}`;
  const last = Math.min(state.doc.lines, line.number + maxFolded);
  for (let number = line.number + 1; number <= last; number++) {
    const candidate = state.doc.line(number);
    if (candidate.text.trimStart().startsWith(end)) return { from: line.to, to: candidate.to };
  }
  return null;
});
