// Colours and words of YARA for the editor. Knows nothing of rulesets.
import { type CompletionContext, type CompletionResult, completeFromList } from '@codemirror/autocomplete';
import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { YaraVocabulary } from '../../../server/contract/rules/yara-vocabulary.ts';

const keywords = new Set(
  'all and any ascii at base64 base64wide condition contains defined endswith entrypoint false filesize for fullword global icontains iendswith iequals import in include int16 int16be int32 int32be int8 int8be istartswith matches meta nocase none not of or private rule startswith strings them true uint16 uint16be uint32 uint32be uint8 uint8be variables wide xor with'.split(
    ' ',
  ),
);

interface YaraState {
  inComment: boolean;
  /** A slash here begins a regular expression rather than a division. */
  mayBeRegex: boolean;
  /** Between the braces of a hexadecimal string. */
  inHex: boolean;
  /** An `=` came last: a brace begins a hexadecimal string. */
  afterEquals: boolean;
}

function token(stream: StringStream, state: YaraState): string | null {
  if (state.inComment) {
    if (stream.match(/.*?\*\//)) state.inComment = false;
    else stream.skipToEnd();
    return 'comment';
  }
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match('/*')) {
    state.inComment = true;
    return 'comment';
  }
  if (state.inHex) {
    if (stream.eat('}')) state.inHex = false;
    else if (!stream.match(/[^\s}/]+/)) stream.next();
    return 'number';
  }
  const { afterEquals, mayBeRegex } = state;
  state.afterEquals = false;
  state.mayBeRegex = true;
  if (stream.match(/"(?:[^"\\]|\\.)*"?/)) {
    state.mayBeRegex = false;
    return 'string';
  }
  if (mayBeRegex && stream.match(/\/(?:[^/\\]|\\.)+\/[is]*/)) {
    state.mayBeRegex = false;
    return 'string';
  }
  if (afterEquals && stream.eat('{')) {
    state.inHex = true;
    return 'number';
  }
  if (stream.match(/[$#@!][\w*]*/)) {
    state.mayBeRegex = false;
    return 'labelName';
  }
  if (stream.match(/-?(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)(?:KB|MB)?\b/)) {
    state.mayBeRegex = false;
    return 'number';
  }
  if (stream.match(/[A-Za-z_]\w*/)) {
    const word = stream.current();
    state.mayBeRegex = keywords.has(word);
    if (word === 'true' || word === 'false') return 'bool';
    if (keywords.has(word)) return 'keyword';
    return stream.peek() === '.' || stream.peek() === '(' ? 'propertyName' : 'variableName';
  }
  const character = stream.next();
  state.afterEquals = character === '=';
  if (character === ')' || character === ']') state.mayBeRegex = false;
  return null;
}

export const yaraLanguage = StreamLanguage.define<YaraState>({
  name: 'yara',
  startState: () => ({ inComment: false, mayBeRegex: true, inHex: false, afterEquals: false }),
  token,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*\}$/,
  },
});

/** Completes keywords, modules, what modules have, names of rules and strings of the text itself. */
export function yaraCompletion(vocabulary: YaraVocabulary) {
  const members = new Map(
    vocabulary.modules.map((module) => [
      module.name,
      module.members.map(({ name, kind, signature, returns }) => ({
        label: name,
        type: kind === 'function' ? 'function' : 'property',
        detail: returns,
        info: signature,
      })),
    ]),
  );
  const words = completeFromList([
    ...vocabulary.keywords.map((label) => ({ label, type: 'keyword' })),
    ...vocabulary.modules.map(({ name, description }) => ({ label: name, type: 'namespace', info: description })),
  ]);
  return (context: CompletionContext): CompletionResult | null | Promise<CompletionResult | null> => {
    const member = context.matchBefore(/\b\w+(?:\.\w*)+/);
    if (member !== null) {
      const [module = ''] = member.text.split('.');
      const options = members.get(module);
      return options === undefined ? null : { from: member.from + module.length + 1, options, validFor: /^[\w.]*$/ };
    }
    const imported = context.matchBefore(/import\s+"\w*/);
    if (imported !== null) {
      const from = imported.from + imported.text.lastIndexOf('"') + 1;
      return { from, options: vocabulary.modules.map(({ name }) => ({ label: name, type: 'namespace' })) };
    }
    const text = context.state.doc.toString();
    const identifier = context.matchBefore(/[$#@!]\w*/);
    if (identifier !== null) {
      const names = new Set([...text.matchAll(/\$(\w+)\s*=/g)].map((match) => match[1]!));
      return { from: identifier.from + 1, options: [...names].map((label) => ({ label, type: 'variable' })) };
    }
    if (context.matchBefore(/\w+/) === null && !context.explicit) return null;
    return words(context);
  };
}
