// Makes an author's rules ones that YARA-X compiles and matches exactly: module calls become global variables, older
// dialect becomes today's. Knows no engine.
import { hash } from 'node:crypto';
import { callProblem, type ModuleArgument, type ModuleCall, originalModules } from './module-functions.ts';
import { RewrittenText } from './position-map.ts';
import { exactRegexp } from './regexp-dialect.ts';
import { type Token, tokenize } from './tokens.ts';

/**
 * A global that is always 0. YARA-X bounds the search for a string by conditions on `filesize` or on `uint32(0)`, and
 * loses the matches of another rule with the same string; a sum with a global it cannot know beforehand, and so bounds nothing.
 */
export const zeroGlobal = '__zero';

const integerReader = /^u?int(?:8|16|32)(?:be)?$/;

export interface RuleHeader {
  name: string;
  isPrivate: boolean;
  isGlobal: boolean;
  tags: string[];
  metaCount: number;
  /** Strings that the author keeps out of reports. */
  privateStrings: string[];
}

/** A fault found before any engine sees the rules; offsets in the author's text. */
export interface RuleProblem {
  code: string;
  title: string;
  start: number;
  end: number;
  help: string | null;
}

export interface RewrittenRules extends RewrittenRulesParts {
  text: RewrittenText;
}

interface RewrittenRulesParts {
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
  const { calls, headers, problems, notes } = rewriter;
  return { text: new RewrittenText(rules, replacements), calls, rules: headers, problems, notes };
}

class Rewriter {
  readonly calls = new Map<string, ModuleCall>();
  readonly headers: RuleHeader[] = [];
  readonly problems: RuleProblem[] = [];
  readonly notes: RuleProblem[] = [];
  readonly #tokens: Token[];
  readonly #replacements: { start: number; end: number; text: string }[] = [];
  readonly #imported = new Set<string>();
  #index = 0;

  constructor(source: string) {
    this.#tokens = tokenize(source);
  }

  run(): { start: number; end: number; text: string }[] {
    let section: Section = 'outside';
    let flags: string[] = [];
    while (this.#index < this.#tokens.length) {
      const token = this.#tokens[this.#index]!;
      if (section === 'outside') {
        if (token.text === 'rule') {
          this.#readHeader(flags);
          flags = [];
          section = 'header';
          continue;
        }
        if (token.text === 'import') this.#readImport(token);
        else if (token.text === 'include') this.#refuseInclude(token);
        else if (token.text === 'private' || token.text === 'global') flags.push(token.text);
      } else if (token.text === '}') {
        section = 'outside';
      } else if (token.kind === 'word' && this.#peek(1)?.text === ':' && isSection(token.text)) {
        section = token.text;
        this.#index += 1;
      } else if (section === 'meta') {
        if (token.text === '=' && this.#headerNow()) this.#headerNow()!.metaCount += 1;
      } else if (section === 'strings') {
        this.#readInStrings(token);
      } else if (section === 'condition') {
        this.#readInCondition(token);
        continue;
      }
      this.#index += 1;
    }
    return this.#replacements;
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

  #readImport(token: Token): void {
    const name = this.#peek(1);
    if (name?.kind !== 'text') return;
    const module = name.text.slice(1, -1);
    if (!originalModules.has(module)) return;
    this.#imported.add(module);
    this.#replace(token.start, name.end, '');
    this.#index += 1;
  }

  #refuseInclude(token: Token): void {
    const end = this.#peek(1)?.end ?? token.end;
    const help = 'put the included rules into this ruleset';
    this.problems.push({ code: 'include', title: 'include statements are not allowed', start: token.start, end, help });
    // The engine must not see it: what remains is checked all the same.
    this.#replace(token.start, end, '');
    this.#index += 1;
  }

  /** From `rule` to the opening brace. */
  #readHeader(flags: readonly string[]): void {
    const name = this.#peek(1)?.text ?? '';
    const tags: string[] = [];
    this.#index += 2;
    for (let token = this.#peek(0); token !== undefined && token.text !== '{'; token = this.#peek(0)) {
      if (token.kind === 'word') tags.push(token.text);
      this.#index += 1;
    }
    this.#index += 1;
    this.headers.push({
      name,
      isPrivate: flags.includes('private'),
      isGlobal: flags.includes('global'),
      tags,
      metaCount: 0,
      privateStrings: [],
    });
  }

  #readInStrings(token: Token): void {
    if (token.kind === 'regexp') this.#translateRegexp(token);
    if (token.text !== 'private') return;
    for (let back = this.#index - 1; back >= 0; back--) {
      const earlier = this.#tokens[back]!;
      if (earlier.kind !== 'variable') continue;
      this.#headerNow()?.privateStrings.push(earlier.text);
      return;
    }
  }

  #translateRegexp(token: Token): void {
    const { body, flags } = regexpParts(token.text);
    const { body: exact, isOtherDialect } = exactRegexp(body, flags);
    if (exact === body) return;
    this.#replace(token.start, token.end, `/${exact}/${flags}`);
    if (!isOtherDialect) return;
    const title = "the regular expression is read in YARA's older dialect";
    this.notes.push({
      code: 'regexp-dialect',
      title,
      start: token.start,
      end: token.end,
      help: `/${exact}/${flags}`,
    });
  }

  #readInCondition(token: Token): void {
    // After one dot stands a member of a module; after two, the end of a range.
    const isMember = this.#peek(-1)?.text === '.' && this.#peek(-2)?.text !== '.';
    if (token.kind === 'word' && !isMember) {
      if (token.text === 'filesize') this.#replace(token.start, token.end, `(filesize+${zeroGlobal})`);
      else if (integerReader.test(token.text) && this.#peek(1)?.text === '(') {
        const { end } = this.#peek(1)!;
        this.#replace(end, end, `${zeroGlobal}+`);
        this.#index += 1;
      } else if (originalModules.has(token.text) && (this.#imported.has(token.text) || this.#isKnownPath())) {
        this.#readCall(token);
        return;
      }
    } else if (token.kind === 'regexp') {
      this.#translateRegexp(token);
    }
    this.#index += 1;
  }

  /** Whether what stands here without an import can only be meant as a module's member. */
  #isKnownPath(): boolean {
    return this.#peek(1)?.text === '.';
  }

  /** `module . member . member ( arguments )`, blanks and comments between them wherever. */
  #readCall(module: Token): void {
    const from = this.#index;
    let path = module.text;
    let last = module;
    this.#index += 1;
    while (this.#peek(0)?.text === '.' && this.#peek(1)?.kind === 'word') {
      last = this.#peek(1)!;
      path += `.${last.text}`;
      this.#index += 2;
    }
    const isCall = this.#peek(0)?.text === '(' && path !== module.text;
    const given = isCall ? this.#readArguments() : [];
    if (isCall) last = this.#tokens[this.#index - 1]!;
    const place = { start: module.start, end: last.end };
    const fail = (code: string, title: string, help: string | null = null) =>
      this.problems.push({ code, title, ...place, help });
    if (!this.#imported.has(module.text)) {
      fail(
        'unknown-identifier',
        `unknown identifier \`${module.text}\``,
        `add \`import "${module.text}"\` before the rule`,
      );
    } else if (given === null) {
      fail(
        'wrong-arguments',
        `wrong arguments: \`${path}\` takes texts, regular expressions or numbers that are written out`,
      );
    } else {
      const problem = callProblem({ path, arguments: given }, isCall);
      if (problem !== null) fail('module-call', problem);
    }
    const call: ModuleCall = { path, arguments: given ?? [] };
    const name = `__call_${hash('sha256', JSON.stringify(call), 'hex').slice(0, 16)}`;
    this.calls.set(name, call);
    // Line breaks within the call are not kept: the map of positions leads around them.
    this.#replace(place.start, place.end, name);
    if (this.#index === from) this.#index += 1;
  }

  /** From the opening parenthesis past the closing one; null where an argument is not a literal. */
  #readArguments(): ModuleArgument[] | null {
    const given: ModuleArgument[] = [];
    let isLiteral = true;
    let depth = 0;
    for (; this.#index < this.#tokens.length; this.#index++) {
      const token = this.#peek(0)!;
      if (token.text === '(') depth += 1;
      else if (token.text === ')') {
        depth -= 1;
        if (depth === 0) {
          this.#index += 1;
          break;
        }
      } else if (token.text === '}') {
        isLiteral = false;
        break;
      } else if (token.text !== ',') {
        const argument = literalOf(token);
        if (argument === null) isLiteral = false;
        else given.push(argument);
      }
    }
    return isLiteral ? given : null;
  }
}

const isSection = (word: string): word is 'meta' | 'strings' | 'condition' =>
  word === 'meta' || word === 'strings' || word === 'condition';

function regexpParts(token: string): { body: string; flags: string } {
  const close = token.lastIndexOf('/');
  return { body: token.slice(1, close), flags: token.slice(close + 1) };
}

function literalOf({ kind, text }: Token): ModuleArgument | null {
  if (kind === 'text') return { kind: 'text', value: unescaped(text.slice(1, -1)) };
  if (kind === 'regexp') {
    const { body, flags } = regexpParts(text);
    return { kind: 'regexp', body, isCaseless: flags.includes('i'), isDotAll: flags.includes('s') };
  }
  if (kind !== 'number') return null;
  const unit = text.endsWith('KB') ? 1024 : text.endsWith('MB') ? 1_048_576 : 1;
  const value = Number(unit === 1 ? text : text.slice(0, -2)) * unit;
  return Number.isSafeInteger(value) ? { kind: 'number', value } : null;
}

/** YARA's escapes in texts name bytes, which are UTF-8 here as elsewhere. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const plain = bytes.replace(/\\(?:x([\da-fA-F]{2})|(.))/g, (_, hex: string | undefined, character: string) =>
    hex !== undefined
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : ({ n: '\n', t: '\t', r: '\r' }[character] ?? character),
  );
  return Buffer.from(plain, 'latin1').toString('utf8');
}
