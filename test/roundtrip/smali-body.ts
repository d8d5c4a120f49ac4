// A method's smali body as instructions that each know their labels and handlers, so that they can be put in another order.
// Knows nothing of why they are.

export interface Handler {
  /** `.catch Ljava/lang/Exception;` or `.catchall` */
  readonly kind: string;
  readonly target: string;
}

/** An instruction, with the move-result that has to follow it. */
export interface Instruction {
  readonly labels: readonly string[];
  /** `.line` and the like before it. */
  readonly debug: readonly string[];
  readonly lines: readonly string[];
  readonly handlers: readonly Handler[];
}

export interface Body {
  /** `.method` with what stands before the first instruction, but `.registers`. */
  readonly head: readonly string[];
  readonly registers: number;
  readonly instructions: readonly Instruction[];
  /** Tables of switches and arrays, with their labels. */
  readonly tables: readonly string[];
}

const endsFlow = /^(?:goto|return|throw)/;
export const fallsThrough = ({ lines }: Instruction): boolean => !endsFlow.test(lines.at(-1)!);

/** The labels an instruction jumps to; those of switches name tables. */
const targetsOf = (line: string): string[] => (line.includes('"') ? [] : (line.match(/:[\w$]+$/g) ?? []));

/** A whole method, `.method` to `.end method`; null for one without code. */
export function parseBody(method: readonly string[]): Body | null {
  const at = method.findIndex((line) => line.startsWith('.registers '));
  if (at < 0) return null;
  const head = method.slice(0, at);
  const instructions: Instruction[] = [];
  const positions = new Map<string, number>();
  const ranges: { from: string; to: string; handler: Handler }[] = [];
  const tables: string[] = [];
  let labels: string[] = [];
  let debug: string[] = [];
  const rest = method.slice(at + 1, -1);
  for (let index = 0; index < rest.length; index++) {
    const line = rest[index]!.trim();
    if (/^\.(?:packed-switch|sparse-switch|array-data)/.test(line)) {
      const end = rest.findIndex((each, position) => position > index && each.trim().startsWith('.end '));
      tables.push(...labels, ...rest.slice(index, end + 1));
      labels = [];
      index = end;
    } else if (line.startsWith('.param')) {
      const hasEnd = rest[index + 1]?.startsWith('.annotation') ?? false;
      const end = hasEnd ? rest.indexOf('.end param', index) : index;
      head.push(...rest.slice(index, end + 1));
      index = end;
    } else if (line.startsWith('.catch')) {
      const [, kind, from, to, target] = line.match(/^(\.\S+(?: [^{]\S*)?) \{(\S+) \.\. (\S+)\} (\S+)$/)!;
      ranges.push({ from: from!, to: to!, handler: { kind: kind!, target: target! } });
    } else if (line.startsWith(':')) {
      positions.set(line, instructions.length);
      labels.push(line);
    } else if (line.startsWith('.')) debug.push(line);
    else if (line.startsWith('move-result') && instructions.length > 0) {
      const last = instructions.pop()!;
      instructions.push({ ...last, lines: [...last.lines, line] });
    } else if (line !== '') {
      instructions.push({ labels, debug, lines: [line], handlers: [] });
      labels = [];
      debug = [];
    }
  }
  const placed = instructions.map((instruction, index) => ({
    ...instruction,
    handlers: ranges
      .filter(({ from, to }) => positions.get(from)! <= index && index < positions.get(to)!)
      .map(({ handler }) => handler),
  }));
  return { head, registers: Number(method[at]!.slice('.registers '.length)), instructions: placed, tables };
}

const keyOf = (handlers: readonly Handler[]): string => handlers.map(({ kind, target }) => kind + target).join();

/** The lines of a method. */
export function printBody({ head, registers, instructions, tables }: Body): string[] {
  const out = [...head, `.registers ${registers}`];
  const catches: string[] = [];
  const used = new Set([
    ...instructions.flatMap(({ lines }) => lines.flatMap(targetsOf)),
    ...tables.flatMap(targetsInTable),
  ]);
  for (const { handlers } of instructions) for (const { target } of handlers) used.add(target);
  let open = '';
  let start = 0;
  const mark = (index: number) => `:range_${index}`;
  const close = (index: number) => {
    const handlers = instructions[start]?.handlers ?? [];
    if (open !== '')
      for (const { kind, target } of handlers) catches.push(`${kind} {${mark(start)} .. ${mark(index)}} ${target}`);
  };
  for (const [index, { labels, debug, lines, handlers }] of instructions.entries()) {
    const key = keyOf(handlers);
    if (key !== open) {
      close(index);
      out.push(mark(index));
      open = key;
      start = index;
    }
    out.push(...labels.filter((label) => used.has(label)), ...debug, ...lines);
  }
  close(instructions.length);
  out.push(mark(instructions.length), ...catches, ...tables, '.end method');
  return out;
}

const targetsInTable = (line: string): string[] => line.match(/:[\w$]+/g) ?? [];

/** A class's text with each method changed, of which the lines are given, `.method` to `.end method`. */
export function mapMethods(text: string, change: (method: readonly string[]) => readonly string[]): string {
  const out: string[] = [];
  let method: string[] | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('.method ')) method = [];
    if (method === null) out.push(line);
    else {
      method.push(line);
      if (line !== '.end method') continue;
      out.push(...change(method));
      method = null;
    }
  }
  return out.join('\n');
}

/** `name(I)V` of a method. */
export const signatureOf = ([head]: readonly string[]): string => head!.slice(head!.lastIndexOf(' ') + 1);
