// Where a place of a class stands in its smali and in its Java, and which lines of both show the same code. Knows no editor.
import type { CodeClass } from '../../../../server/contract/engine/exploration.ts';
import type { JavaSource } from '../../../../server/contract/engine/java-source.ts';
import type { LinePair } from '../../../components/code/in-step.ts';
import type { TextReference } from '../../../components/code/references.ts';
import { literalText } from '../../../components/code/string-literal.ts';
import type { CodeState } from './code-address.ts';

type Place = Pick<CodeState, 'member' | 'seek' | 'at'>;

/** Before the instruction itself stand labels, and what debuggers and handlers need. */
const isInstruction = (line: string) =>
  /^ {4}[^ ]/.test(line) &&
  !/^ {4}(?::|##|\.(?:line|prologue|epilogue|local|end local|restart|source|catch))/.test(line);

/** The lines of a class's smali, from 1, and the instructions that stand there. */
export class SmaliLines {
  readonly #code: CodeClass;
  readonly #lines: readonly string[];
  /** Lines by addresses, by method. */
  readonly #methods = new Map<string, ReadonlyMap<number, number>>();

  constructor(code: CodeClass) {
    this.#code = code;
    this.#lines = code.smali.split('\n');
  }

  /** `m(I)V` or `f:I` for a member that is given so or by its name alone; null where the class has none. */
  memberOf(text: string): { text: string; line: number | null } | null {
    const methods = this.#code.methods.map(({ name, descriptor, line }) => ({
      name,
      text: `${name}${descriptor}`,
      line,
    }));
    const fields = this.#code.fields.map(({ name, descriptor, line }) => ({
      name,
      text: `${name}:${descriptor}`,
      line,
    }));
    const members = [...methods, ...fields];
    return members.find((member) => member.text === text) ?? members.find(({ name }) => name === text) ?? null;
  }

  /** Lines of the instructions of a method, by their addresses, in their order. */
  instructions(method: string): ReadonlyMap<number, number> {
    let found = this.#methods.get(method);
    if (found === undefined) {
      found = this.#instructions(method);
      this.#methods.set(method, found);
    }
    return found;
  }

  #instructions(method: string): Map<number, number> {
    const found = new Map<number, number>();
    const member = this.#code.methods.find(({ name, descriptor }) => `${name}${descriptor}` === method);
    if (member === undefined || member.line === null) return found;
    let block = -1;
    for (let index = member.line; index < this.#lines.length; index++) {
      const line = this.#lines[index]!;
      if (line.startsWith('.end method')) break;
      const address = member.addresses[block];
      if (line === '') block++;
      else if (address !== undefined && !found.has(address) && isInstruction(line)) found.set(address, index + 1);
    }
    return found;
  }

  /** The member that a line is in, and the address of the instruction there or behind it. */
  placeAt(line: number): { text: string; address: number | null } | null {
    let found: { text: string; line: number; isMethod: boolean } | null = null;
    const members = [
      ...this.#code.methods.map((one) => ({ ...one, text: `${one.name}${one.descriptor}`, isMethod: true })),
      ...this.#code.fields.map((one) => ({ ...one, text: `${one.name}:${one.descriptor}`, isMethod: false })),
    ];
    for (const { text, line: start, isMethod } of members) {
      const isNearer = start !== null && start <= line && start > (found?.line ?? 0);
      if (isNearer) found = { text, line: start, isMethod };
    }
    // A note stands above what it is about.
    const isNote = this.#lines[line - 1]?.startsWith('##');
    const next = isNote ? members.find(({ line: start }) => start === line + 1) : undefined;
    if (next !== undefined) return { text: next.text, address: null };
    if (found === null) return null;
    const { text, line: start, isMethod } = found;
    if (line === start) return { text, address: null };
    if (!isMethod) return null;
    const behind = [...this.instructions(text)].find(([, at]) => at >= line);
    const isInside = this.#lines.slice(start, line - 1).every((one) => !one.startsWith('.end method'));
    return isInside && behind !== undefined ? { text, address: behind[0] } : null;
  }

  /** The method that lines are in, and the addresses of its instructions there. */
  codeIn(first: number, last: number): { text: string; addresses: number[] } | null {
    const text = this.placeAt(first)?.text;
    const found = this.#code.methods.find(({ name, descriptor }) => `${name}${descriptor}` === text);
    if (text === undefined || found === undefined) return null;
    const all = [...this.instructions(text)];
    return { text, addresses: all.flatMap(([address, line]) => (line >= first && line <= last ? [address] : [])) };
  }

  /** The address in a method at which its smali has a text first. */
  addressOf(method: string, seek: string): number | null {
    for (const [address, line] of this.instructions(method)) {
      if (this.#lines[line - 1]!.includes(seek)) return address;
    }
    return null;
  }

  /** Constants that the code of a method loads. */
  constantsOf(method: string): string[] {
    return [...this.instructions(method).values()].flatMap((line) => {
      const literal = /^ {4}const-string(?:\/jumbo)? [vp]\d+, (".*")$/.exec(this.#lines[line - 1]!)?.[1];
      return literal === undefined ? [] : [literalText(literal) ?? ''];
    });
  }

  /** The line of a place, null where it means none. */
  lineOf({ member, seek, at }: Place): number | null {
    const found = member === null ? null : this.memberOf(member);
    if (found === null) return null;
    const address = at ?? (seek === null ? null : this.addressOf(found.text, seek));
    return (address === null ? undefined : this.instructions(found.text).get(address)) ?? found.line;
  }
}

type Span = JavaSource['spans'][number];

/** What the code calls a thing, where the text has another word for it. */
function originalOf(symbol: string, text: string): string | undefined {
  const member = /;->([^(:]+)/.exec(symbol)?.[1];
  if (member?.startsWith('<')) return undefined;
  const own = member ?? /([^/$;]+);$/.exec(symbol)?.[1] ?? '';
  const shown = text.slice(text.lastIndexOf('.') + 1);
  return own === shown || symbol.startsWith('[') ? undefined : symbol;
}

/** The lines of a file of Java, from 1, and what they show. */
export class JavaLines {
  readonly #java: JavaSource;
  /** Where lines start. */
  readonly #starts: number[] = [0];
  /** Spans that show code, by method. */
  readonly #code = new Map<string, Span[]>();
  readonly #declared = new Map<string, Span>();
  /** What is named, in the order of the text. */
  readonly references: readonly TextReference[];

  constructor(java: JavaSource) {
    this.#java = java;
    const { source, spans } = java;
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    const references: TextReference[] = [];
    for (const span of spans) {
      const { start, end, symbol, address, is_declaration } = span;
      if (symbol === undefined || start >= end) continue;
      if (address === undefined) {
        if (start >= (references.at(-1)?.end ?? 0)) {
          references.push({ start, end, target: symbol, original: originalOf(symbol, source.slice(start, end)) });
        }
        if (is_declaration) this.#declared.set(symbol, span);
        continue;
      }
      const list = this.#code.get(symbol);
      if (list === undefined) this.#code.set(symbol, [span]);
      else list.push(span);
    }
    for (const { symbol, name, at } of java.variables) {
      for (const start of at) references.push({ start, end: start + name.length, target: symbol, isName: true });
    }
    this.references = references.sort((a, b) => a.start - b.start);
  }

  /** What a note in a line would be about: what is declared there, else the code that it shows; that of the next line in a note's own. */
  placeAt(line: number): { symbol: string; address: number | null } | null {
    let at = line;
    const textOf = (number: number) => this.#java.source.slice(this.#starts[number - 1], this.#starts[number]);
    while (at < this.#starts.length && /^\s*\/\//.test(textOf(at))) at++;
    const [from, to] = [this.#starts[at - 1] ?? 0, this.#starts[at] ?? this.#java.source.length];
    const here = this.#java.spans.filter(({ start, symbol }) => symbol !== undefined && start >= from && start < to);
    const declared = here.find(({ is_declaration }) => is_declaration);
    const found = declared ?? here.find(({ address }) => address !== undefined);
    return found === undefined ? null : { symbol: found.symbol!, address: found.address ?? null };
  }

  /** The method whose code lines show first, and the addresses of its instructions there. */
  codeIn(first: number, last: number): { symbol: string; addresses: number[] } | null {
    const [from, to] = [this.#starts[first - 1] ?? 0, this.#starts[last] ?? this.#java.source.length];
    const here = this.#java.spans.filter(
      ({ start, symbol, address, is_declaration }) =>
        symbol !== undefined && start >= from && start < to && (address !== undefined || is_declaration),
    );
    const symbol = here.find((one) => one.symbol!.includes('('))?.symbol;
    if (symbol === undefined) return null;
    const addresses = here.flatMap((one) => (one.symbol === symbol && one.address !== undefined ? [one.address] : []));
    return { symbol, addresses };
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The line of a place in a class; that of the class where it has none, null for the beginning of the file.
   * @param smali of the class, which knows where its text stands in its code
   */
  lineOf(name: string, { member, seek, at }: Place, smali: SmaliLines): number | null {
    const owner = name === this.#java.class ? undefined : this.#declared.get(name);
    const found = member === null ? null : smali.memberOf(member);
    const method = `${name}->${found?.text}`;
    const address = at ?? (found === null || seek === null ? null : smali.addressOf(found.text, seek));
    const span =
      (address === null ? undefined : this.#spanAt(method, address)) ??
      this.#declared.get(method) ??
      this.#code.get(method)?.[0] ??
      owner;
    return span === undefined ? null : this.#lineAt(span.start);
  }

  /** Whether the text has a member, or some of its code. */
  has(member: string): boolean {
    return this.#declared.has(member) || this.#code.has(member);
  }

  /** The smallest range made of the instruction at an address, else of the one after it whose text it went into. */
  #spanAt(method: string, address: number): Span | undefined {
    let best: Span | undefined;
    for (const span of this.#code.get(method) ?? []) {
      if (span.address! < address) continue;
      const isNearer = best === undefined || span.address! < best.address!;
      const isSmaller = span.address === best?.address && span.end - span.start < best!.end - best!.start;
      if (isNearer || isSmaller) best = span;
    }
    return best;
  }

  /** Lines of the file (first) and of the smali of one of its classes (second) that show the same. */
  pairsWith(code: CodeClass, smali: SmaliLines): LinePair[] {
    const pairs: LinePair[] = [{ first: 1, second: 1 }];
    const add = (span: Span | undefined, second: number | null | undefined) => {
      if (span !== undefined && second != null) pairs.push({ first: this.#lineAt(span.start), second });
    };
    add(this.#declared.get(code.name), 1);
    for (const { name, descriptor, line } of code.fields)
      add(this.#declared.get(`${code.name}->${name}:${descriptor}`), line);
    for (const { name, descriptor, line } of code.methods) {
      const method = `${code.name}->${name}${descriptor}`;
      add(this.#declared.get(method), line);
      const lines = smali.instructions(`${name}${descriptor}`);
      for (const span of this.#code.get(method) ?? []) add(span, lines.get(span.address!));
    }
    return pairs;
  }
}
