// Makes an author's rules ones that YARA-X compiles and matches exactly: module calls become global variables, older
// dialect becomes today's. Knows no engine.
import { hash } from 'node:crypto';
import { textGlobalPrefix } from '../engines/engine.ts';
import { pairedParentheses, tooDeepCalls } from '../language/parentheses.ts';
import { type Replacement, RewrittenText } from '../language/position-map.ts';
import { isClosed, type Token, tokenize } from '../language/tokens.ts';
import { fileCallProblem, fileVariables, isTextCall, missingOutcome } from '../modules/file-functions.ts';
import { readModuleCall } from '../modules/module-calls.ts';
import { type ModuleCall, originalModules } from '../modules/module-functions.ts';
import { regexpProblem } from '../modules/report-search.ts';
import { dexZero, translateDex } from './dex-dialect.ts';
import { type DexLoop, loopsByStrings, readDexLoop } from './dex-loops.ts';
import { exactPlaces } from './exact-places.ts';
import { loopsOfNone, loopVariables } from './loops.ts';
import { engineWord, missingConstant } from './older-dialect.ts';
import { refusedConstants } from './refused-constants.ts';
import { RuleNames } from './rule-names.ts';
import { maxJumpLength, translateString, translateTextRegexp } from './string-dialect.ts';
import { doubtfulRuleSets, exactSets } from './string-sets.ts';
import { readTextComparison } from './text-comparisons.ts';
import { exactUndefined, negation } from './undefined-values.ts';

/**
 * A global that is always 0. YARA-X limits the search for a rule's strings to files that fit its conditions on `filesize` or
 * `uint32(0)`, and loses matches of other rules with the same strings. A sum with a global is not known to it beforehand.
 */
export const zeroGlobal = '__zero';

/** Characters that all sets like `(name*)` may expand to. */
const maxExpanded = 5_000_000;
/** Modules whose functions are answered here, so that the engine never sees them. */
const ownModules: ReadonlySet<string> = new Set([...originalModules, 'magic']);
/** Imported only where the engine needs it: its module parses every dex file whole. */
const dexModule = 'dex';
/** YARA-X's code for it. */
export const slowPattern = 'slow_pattern';
const byteOrderMark = '\ufeff';
/** Decoders put it in place of bytes that they cannot read. */
const replacementCharacter = '\ufffd';
/** Unicode blanks that crash the engine where they are not inside a text: it splits them to underline where they are. */
const foreignBlank = /^[\u0085\u1680\u2028\u2029\u3000]$/;
const comment = /\/\*.*?\*\/|\/\/[^\n]*/gs;

/** A token that is one, those in hex strings, and those in what was opened and never closed, where the engine reads on. */
function foreignBlanksIn(token: Token): Token[] {
  const { kind, start, text } = token;
  if (kind === 'punctuation') return foreignBlank.test(text) ? [token] : [];
  if (kind === 'word' || kind === 'number' || kind === 'variable' || isClosed(token)) return [];
  const read = kind === 'hex' ? text.replace(comment, ({ length }) => ' '.repeat(length)) : text;
  return [...read.matchAll(/[\u0085\u1680\u2028\u2029\u3000]/g)].map(({ 0: blank, index }) => {
    const at = start + index;
    return { kind: 'punctuation', start: at, end: at + 1, text: blank };
  });
}

/** Not the name of a string. */
const entryPointWord = /(?<![$#@!\w])entrypoint\b/g;
const integerReader = /^u?int(?:8|16|32)(?:be)?$/;

export interface RuleHeader {
  name: string;
  /** The name that the engine is given: another one where an earlier rule has the same. */
  engineName: string;
  /** Offsets in the author's text, from the rule's flags to past its closing brace. */
  start: number;
  end: number;
  /** Behind the colon of its condition. */
  conditionStart: number;
  /** Words of its condition, other rules among them; `prefix*` stands for all rules that begin so. */
  words: Set<string>;
  isPrivate: boolean;
  isGlobal: boolean;
  tags: string[];
  metaCount: number;
  /** How many strings may appear in reports. */
  publicStringsCount: number;
}

/** A fault found before any engine sees the rules; offsets in the author's text. */
export interface RuleProblem {
  code: string;
  title: string;
  start: number;
  end: number;
  help: string | null;
}

export interface RewrittenRules {
  text: RewrittenText;
  /** All changes to the author's text, in order. */
  replacements: readonly Replacement[];
  /** Offsets behind the strings that the author does not call private. */
  publicStrings: readonly number[];
  /** By the global that stands for it. */
  calls: Map<string, ModuleCall>;
  rules: RuleHeader[];
  problems: RuleProblem[];
  /** Translations of older dialect, for the author to know. */
  notes: RuleProblem[];
}

type Section = 'outside' | 'header' | 'meta' | 'strings' | 'condition';

/** Rewrites one ruleset. Never fails; text that is no YARA comes back as it is, for the compiler to refuse. */
export function rewriteRules(rules: string): RewrittenRules {
  const rewriter = new Rewriter(rules);
  const replacements = rewriter.run();
  const { calls, headers, problems, notes, publicStrings } = rewriter;
  const text = new RewrittenText(rules, replacements);
  return { text, replacements, publicStrings, calls, rules: headers, problems, notes };
}

class Rewriter {
  readonly calls = new Map<string, ModuleCall>();
  readonly headers: RuleHeader[] = [];
  readonly problems: RuleProblem[] = [];
  readonly notes: RuleProblem[] = [];
  readonly #source: string;
  readonly #tokens: Token[];
  readonly #foreignBlanks: readonly Token[];
  readonly publicStrings: number[] = [];
  #replacements: Replacement[] = [];
  readonly #ruleNames = new RuleNames();
  /** Characters that sets of rules were expanded to so far. */
  #expanded = 0;
  /** Where the condition at hand begins: in the author's text, and in the list of replacements. */
  #condition: { start: number; replacements: number; tokens: readonly Token[] } = {
    start: 0,
    replacements: 0,
    tokens: [],
  };
  /** Replacements of `entrypoint` in the condition at hand. */
  readonly #entryPoints = new Set<Replacement>();
  /** Loop variables of the condition at hand. */
  #variables: ReadonlySet<string> = new Set();
  /** Whether undefined values in the condition at hand may count as something other than false. */
  #isNegated = false;
  /** Modules of the engine that the rules need besides those that they import. */
  readonly #needed = new Set<string>();
  readonly #imported = new Set<string>();
  /** Titles of notes that are given once. */
  readonly #told = new Set<string>();
  /** Names of the strings of the rule at hand. */
  #strings: string[] = [];
  /** What is left of `maxJumpLength` for the jumps of further strings. */
  #jumpRoom = maxJumpLength;
  #index = 0;

  constructor(source: string) {
    this.#source = source;
    const tokens = tokenize(source);
    this.#foreignBlanks = tokens.flatMap(foreignBlanksIn);
    this.#tokens = this.#foreignBlanks.length === 0 ? tokens : tokens.filter(({ text }) => !foreignBlank.test(text));
  }

  run(): readonly Replacement[] {
    let section: Section = 'outside';
    let flags: Token[] = [];
    if (this.#source.startsWith(byteOrderMark)) this.#replace(0, byteOrderMark.length, '');
    while (this.#index < this.#tokens.length) {
      const token = this.#tokens[this.#index]!;
      if (token.kind === 'comment') {
        this.#note('open-comment', 'the comment is never closed', token);
        this.#replace(token.end, token.end, '*/');
      } else if (section === 'outside') {
        this.#dropMarksBefore(token);
        if (token.text === 'rule') {
          this.#readHeader(flags);
          flags = [];
          section = 'header';
          continue;
        }
        if (token.text === 'import') this.#readImport(token);
        else if (token.text === 'include') this.#refuseInclude(token);
        else if (token.text === 'private' || token.text === 'global') this.#readFlag(token, flags);
      } else if (token.text === '}') {
        if (section === 'condition') this.#endCondition(token.start);
        section = 'outside';
        if (this.#headerNow() !== undefined) this.#headerNow()!.end = token.end;
      } else if (isSection(token.text) && this.#peek(1)?.text === ':') {
        section = token.text;
        this.#index += 1;
        if (section === 'condition') this.#beginCondition(this.#peek(0)!.end);
      } else if (section === 'meta') {
        this.#readInMeta(token);
      } else if (section === 'strings') {
        this.#readInStrings(token);
      } else if (section === 'condition') {
        this.#readInCondition(token);
        continue;
      }
      this.#index += 1;
    }
    if (this.#needed.size > 0) this.#importNeeded();
    return this.#withoutWhatTheEngineFailsAt();
  }

  #withoutWhatTheEngineFailsAt(): readonly Replacement[] {
    const calls = tooDeepCalls(this.#tokens);
    if (this.#foreignBlanks.length + calls.length === 0) return this.#replacements;
    for (const call of calls.slice(0, 1)) this.#fail('nested-calls', 'calls are nested too deeply', call);
    for (const { text, start, end } of this.#foreignBlanks) {
      const title = `U+${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} is no blank in rules`;
      this.problems.push({ code: 'foreign-blank', title, start, end, help: 'put a space in its place' });
    }
    const blanks = this.#foreignBlanks.map(({ start, end }) => ({ start, end, text: ' ' }));
    const names = calls.map(({ start, end }) => ({ start, end, text: ' ' }));
    return withoutCovered([...this.#replacements, ...blanks, ...names]);
  }

  #peek(ahead: number): Token | undefined {
    return this.#tokens[this.#index + ahead];
  }

  #headerNow(): RuleHeader | undefined {
    return this.headers.at(-1);
  }

  #replace(start: number, end: number, text: string): void {
    this.#replacements.push({ start, end, text });
  }

  /** Files that were put together may each begin with a byte order mark. */
  #dropMarksBefore({ start }: Token): void {
    const from = this.#peek(-1)?.end ?? byteOrderMark.length;
    for (const { index } of this.#source.slice(from, start).matchAll(/\ufeff/g)) {
      this.#replace(from + index, from + index + byteOrderMark.length, '');
    }
  }

  #readImport(token: Token): void {
    const name = this.#peek(1);
    if (name?.kind !== 'text') return;
    const module = name.text.slice(1, -1);
    this.#imported.add(module);
    if (!ownModules.has(module) && module !== dexModule) return;
    this.#replace(token.start, name.end, '');
    this.#index += 1;
  }

  #refuseInclude(token: Token): void {
    const end = this.#peek(1)?.end ?? token.end;
    const help = 'put the included rules into this ruleset';
    this.problems.push({ code: 'include', title: 'include statements are not allowed', start: token.start, end, help });
    // Removed for the engine, which then checks the rest.
    this.#replace(token.start, end, '');
    this.#index += 1;
  }

  /** A repeated flag is dropped. */
  #readFlag(token: Token, flags: Token[]): void {
    if (flags.some(({ text }) => text === token.text)) this.#replace(token.start, token.end, '');
    else flags.push(token);
  }

  /** From `rule` to the opening brace. */
  #readHeader(flags: readonly Token[]): void {
    const rule = this.#peek(0)!;
    const name = this.#peek(1);
    const tags = new Set<string>();
    const header: RuleHeader = {
      name: name?.text ?? '',
      engineName: name === undefined ? '' : this.#engineNameOf(name),
      start: flags[0]?.start ?? rule.start,
      end: name?.end ?? rule.end,
      conditionStart: name?.end ?? rule.end,
      words: new Set(),
      isPrivate: flags.some(({ text }) => text === 'private'),
      isGlobal: flags.some(({ text }) => text === 'global'),
      tags: [],
      metaCount: 0,
      publicStringsCount: 0,
    };
    this.#index += 2;
    for (let token = this.#peek(0); token !== undefined && token.text !== '{'; token = this.#peek(0)) {
      if (token.kind === 'word' && tags.has(token.text)) {
        this.#note('duplicate-tag', `the tag \`${token.text}\` stands there twice`, token);
        this.#replace(token.start, token.end, '');
      } else if (token.kind === 'word') {
        tags.add(token.text);
        this.#replaceWord(token);
      }
      header.end = token.end;
      this.#index += 1;
    }
    this.#index += 1;
    header.tags = [...tags];
    this.#strings = [];
    this.headers.push(header);
  }

  #readInMeta(token: Token): void {
    if (this.#peek(1)?.text === '=') this.#replaceWord(token);
    const header = this.#headerNow();
    if (token.text === '=' && header !== undefined) header.metaCount += 1;
  }

  #replaceWord({ text, start, end }: Token): void {
    const word = engineWord(text);
    if (word !== text) this.#replace(start, end, word);
  }

  /** A second rule of the same name gets another one in the engine, and keeps its own in reports. */
  #engineNameOf({ text: name, start, end }: Token): string {
    const isFirst = this.#ruleNames.latest(name) === undefined;
    const engineName = this.#ruleNames.add(name);
    if (engineName === name) return name;
    this.#replace(start, end, engineName);
    // The author only needs to know of a duplicate, not of a name that the engine reserves.
    if (isFirst) return engineName;
    const title = `there is a rule \`${name}\` before this one`;
    const help = `give it a name of its own; other rules that name it mean the last \`${name}\` before them`;
    this.notes.push({ code: 'duplicate-rule', title, start, end, help });
    return engineName;
  }

  #fail(code: string, title: string, { start, end }: Token): void {
    this.problems.push({ code, title, start, end, help: null });
  }

  #note(code: string, title: string, { start, end }: Token, help: string | null = null): void {
    this.notes.push({ code, title, start, end, help });
  }

  #readInStrings(token: Token): void {
    if (token.kind === 'variable' && this.#peek(1)?.text === '=') this.#strings.push(token.text);
    const isValue = token.kind === 'regexp' || token.kind === 'text' || token.kind === 'hex';
    if (!isValue || this.#peek(-1)?.text !== '=') return;
    const { replacements, note, problem, isPrivate, slowness, doubt, jumpLength } = translateString(
      this.#tokens,
      this.#index,
      this.#jumpRoom,
    );
    this.#replacements.push(...replacements);
    if (note !== null) this.#note(note.code, note.title, token, note.help);
    if (slowness !== null) this.#note(slowPattern, slowness.title, token, slowness.help);
    if (doubt !== null) this.#note('inexact', doubt.title, token, doubt.help);
    if (token.text.includes(replacementCharacter)) {
      const title = `\`${replacementCharacter}\` stands where bytes were no UTF-8: the string is not found`;
      this.#note('lost-bytes', title, token, 'save the rules as UTF-8, or name the bytes like `\\xe9`');
    }
    if (problem !== null) this.#fail('string', problem, token);
    this.#jumpRoom -= jumpLength;
    if (isPrivate) return;
    this.publicStrings.push(token.end);
    const header = this.#headerNow();
    if (header !== undefined) header.publicStringsCount += 1;
  }

  #translateRegexp(token: Token): void {
    const { replacements, note } = translateTextRegexp(token);
    this.#replacements.push(...replacements);
    if (note !== null) this.#note(note.code, note.title, token, note.help);
  }

  #readInCondition(token: Token): void {
    // After one dot stands a member of a module; after two, the end of a range.
    const isMember = this.#peek(-1)?.text === '.' && this.#peek(-2)?.text !== '.';
    const isName = token.kind === 'word' && !isMember;
    const next = this.#peek(1);
    if (isName) {
      this.#headerNow()?.words.add(next?.text === '*' && next.start === token.end ? `${token.text}*` : token.text);
    }
    if (isName && !this.#variables.has(token.text)) {
      const engineName = next?.text === '.' ? undefined : this.#ruleNames.latest(token.text);
      const isPrefix = next?.text === '*' && next.start === token.end && /^[,)]$/.test(this.#peek(2)?.text ?? '');
      const constant = next?.text === '.' ? missingConstant(token.text, this.#peek(2)?.text ?? '') : undefined;
      if (isPrefix) this.#replacePrefix(token, next);
      else if (constant !== undefined) this.#replace(token.start, this.#peek(2)!.end, String(constant));
      else if (engineName !== undefined && this.#isItself(token)) this.#replaceItself(token);
      else if (engineName !== undefined && engineName !== token.text) this.#replace(token.start, token.end, engineName);
      else if (token.text === 'entrypoint') this.#replaceEntryPoint(token);
      else if (token.text === 'filesize') this.#replace(token.start, token.end, `(filesize+${zeroGlobal})`);
      else if (integerReader.test(token.text) && this.#peek(1)?.text === '(') {
        const { end } = this.#peek(1)!;
        this.#replace(end, end, `${zeroGlobal}+`);
        this.#index += 1;
      } else if (ownModules.has(token.text) && (this.#imported.has(token.text) || this.#isKnownPath())) {
        this.#readCall(token);
        return;
      } else if (token.text === dexModule && this.#imported.has(dexModule)) {
        if (next?.text === '.' && this.#readDex(token)) return;
        this.#needed.add(dexModule);
      } else if (token.text === 'for' && this.#imported.has(dexModule)) {
        if (this.#readDexLoop(token)) return;
      } else if (fileVariables.has(token.text) && engineName === undefined) {
        this.#replaceByCall({ path: token.text, arguments: [] }, this.#index + 1);
        const help = 'for the APK itself the name is empty; `filepath` is the path within the APK';
        this.#noteOnce('file-variable', `\`${token.text}\` is that of each file inside the APK`, token, help);
        return;
      }
    } else if (token.kind === 'regexp') {
      this.#translateRegexp(token);
    }
    this.#index += 1;
  }

  /** Whether the word is the name of the rule that it stands in, and of none before it. */
  #isItself({ text }: Token): boolean {
    return this.#headerNow()?.name === text && !this.headers.slice(0, -1).some(({ name }) => name === text);
  }

  /** While its own condition is evaluated a rule has not matched. */
  #replaceItself(token: Token): void {
    this.#replace(token.start, token.end, 'false');
    this.#note('self-reference', `\`${token.text}\` is false in its own condition`, token);
  }

  /** Expands `any of (name*)` to the rules before this one whose names begin so, and to this one, which has not matched yet. */
  #replacePrefix({ text, start }: Token, asterisk: Token): void {
    const named = this.headers.slice(0, -1).filter(({ name }) => name.startsWith(text));
    const itself = this.#headerNow()?.name.startsWith(text) ? ['false'] : [];
    const names = [...named.map(({ engineName }) => engineName), ...itself].join(', ');
    this.#expanded += names.length;
    if (this.#expanded > maxExpanded)
      this.#fail('too-many-rules', 'the sets of rules by their names are too large', asterisk);
    else this.#replace(start, asterisk.end, names || 'false');
    if (names !== '') return;
    const title = `no rule before this one has a name that begins with \`${text}\``;
    this.problems.push({ code: 'unknown-rules', title, start, end: asterisk.end, help: null });
  }

  /** Replaces `entrypoint` by those of the engine's modules; `#endCondition` decides between the two ways. */
  #replaceEntryPoint(token: Token): void {
    this.#replace(token.start, token.end, token.text);
    this.#entryPoints.add(this.#replacements.at(-1)!);
    this.#note('older-dialect', '`entrypoint` is read as `pe.entry_point` or `elf.entry_point`', token);
  }

  #beginCondition(start: number): void {
    const tokens = this.#conditionHere();
    this.#condition = { start, replacements: this.#replacements.length, tokens };
    this.#entryPoints.clear();
    this.#variables = loopVariables(tokens);
    this.#isNegated = tokens.some(({ text }) => negation.test(text));
    const header = this.#headerNow();
    if (header !== undefined) header.conditionStart = start;
  }

  /** The tokens from here to the end of the rule, or to the next section where none ends. */
  #conditionHere(): Token[] {
    let end = this.#index;
    for (; end < this.#tokens.length; end++) {
      const { text } = this.#tokens[end]!;
      if (text === '}' || (isSection(text) && this.#tokens[end + 1]?.text === ':')) break;
    }
    return this.#tokens.slice(this.#index, end);
  }

  #endCondition(end: number): void {
    const { start, replacements: first, tokens: condition } = this.#condition;
    for (const refused of refusedConstants(condition)) this.#fail('constant', refused.title, refused.token);
    const parentheses = pairedParentheses(condition);
    for (const number of doubtfulRuleSets(condition, parentheses)) {
      const help = 'YARA takes an undefined number for all of the rules, and anything below 1 for reached';
      this.#note('inexact', 'so many rules never match where the number is negative or undefined', number, help);
    }
    const loops = loopsOfNone(condition, parentheses);
    for (const { quantifier } of loops) {
      const help = '`not for any … : (…)` says that nothing fits';
      this.#note('older-dialect', 'such a loop holds whatever its items are, as in YARA 4.2', quantifier, help);
    }
    const places = exactPlaces(condition, parentheses, zeroGlobal);
    for (const place of places) if (place.text.includes('entrypoint')) this.#entryPoints.add(place);
    const exact = [
      ...places,
      ...exactUndefined(condition, parentheses),
      ...exactSets(condition, parentheses, this.#strings, zeroGlobal),
      ...loops.flatMap(({ replacements }) => replacements),
    ];
    if (exact.length > 0) {
      const inside = withoutCovered([...this.#replacements.splice(first), ...exact]);
      this.#replacements.push(...inside);
      if (exact.some(({ text }) => text.includes('math.'))) this.#needed.add('math');
    }
    if (this.#entryPoints.size > 0) this.#doubleCondition(start, end, first);
  }

  /** Writes a condition on the entry point out for PE and for ELF files; other files have none. */
  #doubleCondition(start: number, end: number, first: number): void {
    const inside = this.#replacements.splice(first);
    const readAs = (name: string) =>
      inside.map((replacement) =>
        this.#entryPoints.has(replacement)
          ? { ...replacement, text: replacement.text.replace(entryPointWord, name) }
          : replacement,
      );
    const relative = readAs('elf.entry_point').map(({ start: from, end: to, text }) => ({
      start: from - start,
      end: to - start,
      text,
    }));
    const forElf = new RewrittenText(this.#source.slice(start, end), relative).text;
    this.#replacements.push({ start, end: start, text: ' (pe.is_pe and (' }, ...readAs('pe.entry_point'));
    this.#replace(end, end, `\n)) or (not pe.is_pe and (${forElf}\n))`);
    this.#needed.add('pe').add('elf');
  }

  #importNeeded(): void {
    const isFirst = this.#replacements[0]?.start === 0 && this.#replacements[0].end === byteOrderMark.length;
    const start = isFirst ? byteOrderMark.length : 0;
    const text = [...this.#needed].map((module) => `import "${module}" `).join('');
    this.#replacements.splice(isFirst ? 1 : 0, 0, { start, end: start, text });
  }

  /** Whether what stands here without an import can only be meant as a module's member. */
  #isKnownPath(): boolean {
    return this.#peek(1)?.text === '.';
  }

  #readCall(module: Token): void {
    const { call, end, next, problem } = readModuleCall(this.#tokens, this.#index, this.#imported);
    if (problem !== null) this.problems.push({ ...problem, start: module.start, end });
    this.#replaceByCall(call, next);
    if (module.text === 'magic') {
      const help = "the beginning of libmagic's words, without details; rules ask with `contains` best";
      this.#noteOnce('file-type', "`magic` answers from this program's own table of file types", module, help);
    }
  }

  /**
   * Replaces the call that begins here by a global, or the whole comparison that it is part of: the native engine cannot
   * set a global to texts like `1` and `true`.
   * @param next index behind the call
   */
  #replaceByCall(call: ModuleCall, next: number, isUndefinedElsewhere = false): void {
    const compared = isTextCall(call) ? readTextComparison(this.#tokens, this.#index, next) : null;
    const name = this.#globalOf(compared === null ? call : { ...call, comparison: compared.comparison });
    const last = this.#tokens[(compared?.next ?? next) - 1]!;
    let text = name;
    if (compared !== null) {
      const { operand } = compared.comparison;
      const problem = operand.kind === 'regexp' ? regexpProblem(operand) : null;
      if (problem !== null) this.#fail('module-call', problem, last);
      text = this.#isNegated ? `(${name}+0\\math.to_number(${name}!=${missingOutcome}))` : `${name}==1`;
    } else if (isUndefinedElsewhere && !isTextCall(call)) {
      const isInList = call.arguments.some(({ kind }) => kind === 'number');
      text = `(${name}+${dexZero(zeroGlobal)}${isInList ? `+0\\(${name}+1)` : ''})`;
    }
    if (text.includes('math.')) this.#needed.add('math');
    // The compiler quotes the whole line in its warning about each of thousands of calls: each gets a line of its own.
    // Line breaks within the call are not kept; the map of positions leads around both.
    this.#replace(this.#tokens[compared?.start ?? this.#index]!.start, last.end, `\n${text}`);
    this.#index = compared?.next ?? next;
  }

  #globalOf(call: ModuleCall): string {
    const digest = hash('sha256', JSON.stringify(call), 'hex').slice(0, 16);
    const name = `${isTextCall(call) ? textGlobalPrefix : '__call_'}${digest}`;
    this.calls.set(name, call);
    return name;
  }

  #noteOnce(code: string, title: string, place: Token, help: string): void {
    if (this.#told.has(title)) return;
    this.#told.add(title);
    this.#note(code, title, place, help);
  }

  /** Replaces expressions on YARA's module `dex` that the engine's module does not know. */
  #readDex(token: Token): boolean {
    const translation = translateDex(this.#tokens, this.#index, zeroGlobal);
    // A call that the text ends in is for the compiler to tell of.
    if (translation === null || translation.next > this.#tokens.length) return false;
    const place = { start: token.start, end: this.#tokens[translation.next - 1]!.end };
    if ('text' in translation) {
      this.#replace(place.start, place.end, translation.text);
      if (translation.text.includes('math.')) this.#needed.add('math');
      if (/\bdex\b/.test(translation.text)) this.#needed.add(dexModule);
    } else if ('problem' in translation) {
      this.problems.push({ code: 'dex', title: translation.problem, ...place, help: null });
      this.#replace(place.start, place.end, '0');
    } else {
      const isCall = this.#tokens[translation.next - 1]?.text === ')';
      const problem = fileCallProblem(translation.call, isCall || translation.call.arguments.length > 0);
      if (problem !== null) this.problems.push({ code: 'module-call', title: problem, ...place, help: null });
      this.#replaceByCall(translation.call, translation.next, translation.isUndefinedElsewhere);
      return true;
    }
    this.#index = translation.next;
    return true;
  }

  /** Replaces a loop over lists of YARA's module `dex` that the engine's module does not have. */
  #readDexLoop(token: Token): boolean {
    const read = readDexLoop(this.#tokens, this.#index);
    if (read === null) return false;
    const callOf = (loop: DexLoop) => ({ path: 'dex.loop', arguments: [], loop });
    const place = { start: token.start, end: this.#tokens[read.next - 1]!.end };
    const problem = fileCallProblem(callOf(read.loop), true);
    if (problem !== null) this.problems.push({ code: 'module-call', title: problem, ...place, help: null });
    const cases = loopsByStrings(read.loop).map(({ condition, loop }) =>
      condition === '' ? this.#globalOf(callOf(loop)) : `${condition} and ${this.#globalOf(callOf(loop))}`,
    );
    this.#replace(place.start, place.end, `\n(${cases.join(' or ')})`);
    this.#index = read.next;
    return true;
  }
}

/** The replacements in order, without those inside another one. */
function withoutCovered(replacements: readonly Replacement[]): Replacement[] {
  let covered = 0;
  return replacements
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end }) => {
      if (start < covered) return false;
      covered = end;
      return true;
    });
}

const isSection = (word: string): word is 'meta' | 'strings' | 'condition' =>
  word === 'meta' || word === 'strings' || word === 'condition';
