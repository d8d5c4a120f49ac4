// Random Java statements that javac takes: nothing stands where execution never comes, every variable has a value. Knows no classes.
import type { Choices } from './choices.ts';
import type { Expressions, Scope, Variable } from './expressions.ts';
import { arrays, boxes, declared, type JavaType, objects, primitives } from './world.ts';

/** What a `break` or `continue` can name. */
interface Target {
  readonly label: string | null;
  readonly kind: 'loop' | 'switch' | 'block';
  isLeft: boolean;
  isContinued: boolean;
}

/** How a method's or a lambda's code may end. */
interface Place extends Scope {
  readonly targets: readonly Target[];
  /** `void` for a plain `return`; null where none may stand. */
  readonly returns: JavaType | 'void' | null;
  readonly depth: number;
  readonly loops: number;
}

/** Lines, and whether execution goes on behind them. */
interface Code {
  readonly lines: readonly string[];
  readonly completes: boolean;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
const unchecked = [
  'ArithmeticException',
  'IllegalStateException',
  'ClassCastException',
  'IndexOutOfBoundsException',
  'NullPointerException',
];
const anyType: readonly JavaType[] = [...primitives, ...primitives, ...boxes, ...arrays, ...objects, ...declared];

export class Statements {
  readonly #choices: Choices;
  readonly #expressions: Expressions;

  constructor(choices: Choices, expressions: Expressions) {
    this.#choices = choices;
    this.#expressions = expressions;
  }

  /** The lines of a method's body. */
  body(scope: Scope, returns: JavaType | 'void', size: number): string[] {
    const place: Place = { ...scope, targets: [], returns, depth: 3, loops: 0 };
    const { lines, completes, inner } = this.#list(place, size);
    if (!completes || returns === 'void') return lines;
    return [...lines, `return ${this.#value(returns, inner)};`];
  }

  #value(type: JavaType, place: Place): string {
    return this.#expressions.of(type, place, 1 + this.#choices.below(3));
  }

  /** Some statements; the last may leave. */
  #list(place: Place, size: number): { lines: string[]; completes: boolean; inner: Place } {
    let inner = place;
    const lines: string[] = [];
    for (let left = size; left > 0; left--) {
      const code = this.#statement(inner, (variable) => {
        inner = { ...inner, variables: [...inner.variables, variable] };
      });
      lines.push(...code.lines);
      if (!code.completes) return { lines, completes: false, inner };
    }
    return { lines, completes: true, inner };
  }

  #block(place: Place, more: Partial<Place> = {}): Code {
    return this.#list({ ...place, depth: place.depth - 1, ...more }, 1 + this.#choices.below(3));
  }

  #statement(place: Place, declare: (variable: Variable) => void): Code {
    const choices = this.#choices;
    if (place.depth <= 0 || choices.chance(0.45)) return this.#simple(place, declare);
    if (choices.chance(0.08)) return this.#leave(place);
    return choices.of<() => Code>([
      () => this.#branch(place),
      () => this.#branch(place),
      () => this.#loop(place),
      () => this.#loop(place),
      () => this.#forEach(place),
      () => this.#switch(place),
      () => this.#arrowSwitch(place),
      () => this.#patternSwitch(place),
      () => this.#try(place),
      () => this.#try(place),
      () => this.#resource(place),
      () => this.#locked(place),
      () => this.#labelled(place),
      () => this.#assignedLater(place, declare),
      () => this.#yielded(place, declare),
      () => this.#localClass(place, declare),
      () => this.#action(place),
    ])();
  }

  #simple(place: Place, declare: (variable: Variable) => void): Code {
    const { of, chance } = this.#choices;
    const expressions = this.#expressions;
    const plain = (line: string): Code => ({ lines: [line], completes: true });
    if (chance(0.35)) {
      const type = of(anyType);
      const isFinal = chance(0.4);
      const name = chance(0.08) ? null : expressions.name(isFinal ? 'c' : 'v');
      const hidden = of(place.fields).name;
      if (name === null && place.variables.some((each) => each.name === hidden)) return plain(`log.append(';');`);
      const value = this.#value(
        type,
        name === null ? { ...place, fields: place.fields.filter((each) => each.name !== hidden) } : place,
      );
      declare({ name: name ?? hidden, type, isFinal, isAssignable: !isFinal });
      return plain(`${type} ${name ?? hidden} = ${value};`);
    }
    if (chance(0.45)) {
      const type = of(anyType);
      const target = expressions.assignable(type, place, 2);
      if (target !== null) {
        const isNumber = type === 'int' || type === 'long' || type === 'byte' || type === 'char' || type === 'short';
        if (isNumber && chance(0.3)) return plain(`${target}${of(['++', '--'])};`);
        if (isNumber && chance(0.4))
          return plain(`${target} ${of(['+=', '-=', '*=', '|=', '>>=', '/='])} ${this.#value('int', place)};`);
        if (type === 'Integer' && chance(0.4)) return plain(`${target} ${of(['+= 1', '-= 3', '*= 2'])};`);
        if (type === 'Character' && chance(0.4)) return plain(`${target}++;`);
        if (type === 'String' && chance(0.5)) return plain(`${target} += ${this.#value(of(primitives), place)};`);
        return plain(`${target} = ${this.#value(type, place)};`);
      }
    }
    if (chance(0.3)) {
      const called = place.methods.filter(
        (each) => (place.mayThrow || !each.throwsOops) && (each.isStatic || !place.isStatic),
      );
      if (called.length > 0 && place.loops < 2) return plain(`${expressions.callOf(of(called), place, 2)};`);
    }
    if (chance(0.3)) {
      const list = place.variables.filter(({ type }) => type === 'List<Integer>');
      if (list.length > 0)
        return plain(
          of([
            `${of(list).name}.add(${this.#value('int', place)});`,
            `${of(list).name}.remove(${this.#value('Integer', place)});`,
            `fill(${of(list).name}, 3);`,
            `((List) ${of(list).name}).add((Integer) 5);`,
          ]),
        );
    }
    return plain(`log.append(show(${this.#value(of(anyType), place)})).append('\\n');`);
  }

  /** `break`, `continue`, `return` or `throw`. */
  #leave(place: Place): Code {
    const { of, chance } = this.#choices;
    const ended = (line: string): Code => ({ lines: [line], completes: false });
    const innermost = place.targets.findLast(({ kind }) => kind !== 'block');
    const innerLoop = place.targets.findLast(({ kind }) => kind === 'loop');
    const reachable = place.targets.filter((each) => each.label !== null || each === innermost);
    if (reachable.length > 0 && chance(0.7)) {
      const target = of(reachable);
      const mayContinue = target.kind === 'loop' && (target.label !== null || target === innerLoop);
      if (mayContinue && chance(0.5)) {
        target.isContinued = true;
        const isPlain = (target === innerLoop && chance(0.7)) || target.label === null;
        return ended(isPlain ? 'continue;' : `continue ${target.label};`);
      }
      target.isLeft = true;
      return ended(
        target === innermost && (target.label === null || chance(0.7)) ? 'break;' : `break ${target.label};`,
      );
    }
    if (place.returns !== null && chance(0.6))
      return ended(place.returns === 'void' ? 'return;' : `return ${this.#value(place.returns, place)};`);
    if (place.mayThrow && chance(0.4)) return ended(`throw new Oops(${this.#value('int', place)});`);
    return ended(
      of([`throw new IllegalStateException("at" + ${this.#value('int', place)});`, `throw new ${of(unchecked)}();`]),
    );
  }

  /** Something that may leave, or a trace. */
  #perhapsLeave(place: Place): string[] {
    if (!this.#choices.chance(0.5)) return [];
    return [`if (${this.#value('boolean', place)}) {`, ...indented(this.#leave(place).lines), '}'];
  }

  #branch(place: Place): Code {
    const { chance } = this.#choices;
    const condition = this.#value('boolean', place);
    const yes = this.#block(place);
    if (chance(0.4)) return { lines: [`if (${condition}) {`, ...indented(yes.lines), '}'], completes: true };
    const lines = [`if (${condition}) {`, ...indented(yes.lines)];
    let { completes } = yes;
    if (chance(0.3)) {
      const middle = this.#block(place);
      lines.push(`} else if (${this.#value('boolean', place)}) {`, ...indented(middle.lines));
      completes ||= middle.completes;
    }
    const no = this.#block(place);
    return { lines: [...lines, '} else {', ...indented(no.lines), '}'], completes: completes || no.completes };
  }

  /** A target that the statements in it can name, and its label. */
  #target(kind: Target['kind'], mustHaveLabel = false): { target: Target; label: string } {
    const isNamed = mustHaveLabel || this.#choices.chance(0.4);
    const label = isNamed ? this.#expressions.name('L') : null;
    return { target: { label, kind, isLeft: false, isContinued: false }, label: label === null ? '' : `${label}: ` };
  }

  #loop(place: Place): Code {
    if (place.loops >= 2) return this.#branch(place);
    const { of, below, chance } = this.#choices;
    const { target, label } = this.#target('loop');
    const count = this.#expressions.name('i');
    const counter: Variable = { name: count, type: 'int', isFinal: false, isAssignable: false };
    const inner: Place = {
      ...place,
      variables: [...place.variables, counter],
      targets: [...place.targets, target],
      loops: place.loops + 1,
    };
    const code = this.#block(inner);
    const leave = this.#perhapsLeave(inner);
    const lines = indented([...leave, ...code.lines]);
    const end = 2 + below(3);
    const condition = () => (chance(0.4) ? ` && ${this.#value('boolean', place)}` : '');
    const before = `int ${count} = 0;`;
    switch (below(6)) {
      case 0:
        return {
          lines: [before, `${label}while (${count}++ < ${end}${condition()}) {`, ...lines, '}'],
          completes: true,
        };
      case 1: {
        const last = `} while (++${count} < ${end}${condition()});`;
        return {
          lines: [before, `${label}do {`, ...lines, last],
          completes: code.completes || target.isContinued || target.isLeft,
        };
      }
      case 2: {
        const exit = of(['break', place.returns === 'void' ? 'return' : 'break']);
        if (exit === 'break') target.isLeft = true;
        return {
          lines: [
            before,
            `${label}${of(['while (true)', 'for (;;)'])} {`,
            `  if (${count}++ >= ${end}) ${exit};`,
            ...lines,
            '}',
          ],
          completes: target.isLeft,
        };
      }
      case 3:
        return {
          lines: [`${label}for (int ${count} = ${end}; --${count} >= 0${condition()}; ) {`, ...lines, '}'],
          completes: true,
        };
      case 4: {
        const other = this.#expressions.name('j');
        return {
          lines: [
            `${label}for (int ${count} = 0, ${other} = ${end}; ${count} < ${other}${condition()}; ${count}++, ${other}--) {`,
            ...lines,
            '}',
          ],
          completes: true,
        };
      }
      default:
        return {
          lines: [
            `${label}for (int ${count} = 0; ${count} < ${end}${condition()}; ${count}${of(['++', ' += 2'])}) {`,
            ...lines,
            '}',
          ],
          completes: true,
        };
    }
  }

  #forEach(place: Place): Code {
    if (place.loops >= 2) return this.#branch(place);
    const { of } = this.#choices;
    const { target, label } = this.#target('loop');
    const [over, type] = of<[JavaType, JavaType]>([
      ['int[]', 'int'],
      ['char[]', 'char'],
      ['byte[]', 'int'],
      ['String[]', 'String'],
      ['int[][]', 'int[]'],
      ['List<Integer>', 'Integer'],
      ['List<Integer>', 'int'],
      ['List<String>', 'String'],
      ['Box<Integer>', 'int'],
      ['double[]', 'double'],
    ]);
    const name = this.#expressions.name('e');
    const each: Variable = { name, type, isFinal: true, isAssignable: false };
    const inner: Place = {
      ...place,
      variables: [...place.variables, each],
      targets: [...place.targets, target],
      loops: place.loops + 1,
    };
    // Elements of other types become whole numbers.
    const written = of([type, type === 'int' ? 'int' : 'var']);
    const head = `${label}for (${written} ${name} : ${this.#value(over, place)}) {`;
    return {
      lines: [head, ...indented([...this.#perhapsLeave(inner), ...this.#block(inner).lines]), '}'],
      completes: true,
    };
  }

  #switch(place: Place): Code {
    const { of, chance } = this.#choices;
    const { target, label } = this.#target('switch');
    const inner: Place = { ...place, targets: [...place.targets, target] };
    const [over, all] = of<[string, readonly string[]]>([
      [`${this.#value('int', place)} & 7`, ['0', '1', '2', '3', '5']],
      [`${this.#value('int', place)} % 5`, ['-1', '1', '1000', '4', '3']],
      [this.#value('char', place), ["'a'", "'Z'", "'\\n'", "'0'"]],
      [this.#value('byte', place), ['-1', '5', '127']],
      [`"" + ${this.#value('String', place)}`, ['"a"', '"Aa"', '"BB"', '""', '"null"']],
      [this.#value('Color', place), ['RED', 'GREEN', 'BLUE', 'DARK']],
      [`(Integer) ${this.#value('Integer', place)}`, ['5', '1000', '-1']],
    ]);
    const chosen = this.#choices.some(all, 0.6);
    const labels = chance(0.7)
      ? [...chosen.map((each) => `case ${each}:`), 'default:']
      : chosen.map((each) => `case ${each}:`);
    if (labels.length > 1 && chance(0.3)) labels.unshift(labels.pop()!);
    const lines: string[] = [];
    let completes = true;
    for (const each of labels) {
      lines.push(each);
      if (chance(0.2)) {
        completes = true;
        continue;
      }
      const code = this.#block(inner);
      lines.push('  {', ...indented(indented(code.lines)), '  }');
      completes = code.completes;
      if (code.completes && chance(0.6)) {
        lines.push('  break;');
        target.isLeft = true;
      }
    }
    const isTotal = labels.includes('default:');
    return {
      lines: [`${label}switch (${over}) {`, ...indented(lines), '}'],
      completes: completes || target.isLeft || !isTotal,
    };
  }

  #arrowSwitch(place: Place): Code {
    const { target, label } = this.#target('switch');
    const inner: Place = { ...place, targets: [...place.targets, target] };
    const isColor = this.#choices.chance(0.5);
    const over = isColor ? this.#value('Color', place) : `"" + ${this.#value('String', place)}`;
    const cases = isColor ? ['case RED, DARK', 'case BLUE', 'default'] : ['case "a", "BB"', 'case "Aa"', 'default'];
    const lines: string[] = [];
    let completes = false;
    for (const each of cases) {
      const code = this.#block(inner);
      lines.push(`${each} -> {`, ...indented(code.lines), '}');
      completes ||= code.completes;
    }
    return { lines: [`${label}switch (${over}) {`, ...indented(lines), '}'], completes: completes || target.isLeft };
  }

  #patternSwitch(place: Place): Code {
    const { target, label } = this.#target('switch');
    const name = this.#expressions.name('p');
    const inner = (type: JavaType): Place => ({
      ...place,
      variables: [...place.variables, { name, type, isFinal: true, isAssignable: false }],
      targets: [...place.targets, target],
    });
    const parts: [string, JavaType][] = [
      [`case Integer ${name} && ${name} > 3`, 'Integer'],
      [`case Integer ${name}`, 'Integer'],
      [`case String ${name}`, 'String'],
      [`case Point ${name} && ${name}.x() > 1`, 'Point'],
      [`case Base ${name}`, 'Base'],
    ];
    const lines: string[] = [];
    let completes = false;
    for (const [head, type] of [...this.#choices.some(parts, 0.6), ['default', 'Object'] as [string, JavaType]]) {
      const code = this.#block(head === 'default' ? { ...place, targets: [...place.targets, target] } : inner(type));
      lines.push(`${head} -> {`, ...indented(code.lines), '}');
      completes ||= code.completes;
    }
    const over = `(Object) ${this.#value('Object', place)}`;
    return { lines: [`${label}switch (${over}) {`, ...indented(lines), '}'], completes: completes || target.isLeft };
  }

  #try(place: Place): Code {
    const { of, chance } = this.#choices;
    const catchesOops = chance(0.4);
    const first = catchesOops
      ? [`if (${this.#value('boolean', place)}) throw new Oops(${this.#value('int', place)});`]
      : [];
    const hasFinally = chance(0.5);
    const body = this.#block(place, catchesOops ? { mayThrow: true } : {});
    const lines = ['try {', ...indented([...first, ...body.lines])];
    let { completes } = body;
    const kinds = [
      ...(catchesOops ? ['Oops'] : []),
      ...this.#choices.some(
        ['ArithmeticException', 'NullPointerException | ClassCastException', 'IndexOutOfBoundsException'],
        0.3,
      ),
      ...(chance(0.5) || (!hasFinally && !catchesOops) ? ['RuntimeException'] : []),
    ];
    for (const kind of kinds) {
      const name = this.#expressions.name('x');
      const code = this.#block(place);
      const rethrown = code.completes && chance(0.15);
      const told = of([`log.append(show(${name}));`, `log.append("${kind.slice(0, 3)}");`]);
      const last = of([`throw ${name};`, `throw new IllegalStateException("w", ${name});`]);
      const mayRethrow = kind !== 'Oops' || place.mayThrow || last.startsWith('throw new');
      lines.push(
        `} catch (${kind} ${name}) {`,
        ...indented([told, ...code.lines, ...(rethrown && mayRethrow ? [last] : [])]),
      );
      completes ||= code.completes && !(rethrown && mayRethrow);
    }
    if (hasFinally) {
      // What leaves from a `finally` forgets what was under way.
      const code = this.#block(place, chance(0.85) ? { targets: [], returns: null } : {});
      lines.push('} finally {', ...indented(['log.append("f");', ...code.lines]));
      completes &&= code.completes;
    }
    return { lines: [...lines, '}'], completes };
  }

  #resource(place: Place): Code {
    const { chance } = this.#choices;
    const names = [this.#expressions.name('r'), this.#expressions.name('r')].slice(0, chance(0.4) ? 2 : 1);
    const heads = names.map((name) => `Res ${name} = new Res(${this.#value('int', place)} & 15)`);
    const body = this.#block(place, { mayThrow: true });
    const caught = this.#expressions.name('x');
    const handler = this.#block(place);
    const lines = [
      `try (${heads.join('; ')}) {`,
      ...indented([`log.append(${names.at(-1)}.use(${this.#value('int', place)}));`, ...body.lines]),
      `} catch (Oops ${caught}) {`,
      ...indented([`log.append(show(${caught}));`, ...handler.lines]),
      '}',
    ];
    return { lines, completes: body.completes || handler.completes };
  }

  #locked(place: Place): Code {
    const body = this.#block(place);
    return {
      lines: [
        `synchronized (${this.#choices.of(['log', 'Main.class', '(Object) "l"'])}) {`,
        ...indented(body.lines),
        '}',
      ],
      completes: body.completes,
    };
  }

  #labelled(place: Place): Code {
    const { target, label } = this.#target('block', true);
    const inner: Place = { ...place, targets: [...place.targets, target] };
    const leave = this.#perhapsLeave(inner);
    const body = this.#block(inner);
    return {
      lines: [`${label}{`, ...indented([...leave, ...body.lines]), '}'],
      completes: body.completes || target.isLeft,
    };
  }

  /** A variable that each way gives its value. */
  #assignedLater(place: Place, declare: (variable: Variable) => void): Code {
    const { of, below } = this.#choices;
    const type = of<JavaType>(['int', 'long', 'String', 'boolean', 'Object', 'double', 'char']);
    const name = this.#expressions.name('u');
    const set = () => `${name} = ${this.#value(type, place)};`;
    const lines = [`${type} ${name};`];
    const kind = below(3);
    const quiet: Place = { ...place, targets: [], returns: null };
    if (kind === 0) lines.push(`if (${this.#value('boolean', place)}) {`, `  ${set()}`, '} else {', `  ${set()}`, '}');
    else if (kind === 1)
      lines.push(
        `switch (${this.#value('int', place)} & 3) {`,
        '  case 0:',
        `    ${set()}`,
        '    break;',
        '  case 1:',
        `    ${set()}`,
        '    break;',
        '  default:',
        `    ${set()}`,
        '}',
      );
    else {
      const code = this.#block(quiet);
      const tail = code.completes ? [`  ${set()}`] : [];
      lines.push('try {', ...indented(code.lines), ...tail, '} catch (RuntimeException ignored) {', `  ${set()}`, '}');
    }
    declare({ name, type, isFinal: kind === 0, isAssignable: kind !== 0 });
    return { lines, completes: true };
  }

  /** A `switch` that yields. */
  #yielded(place: Place, declare: (variable: Variable) => void): Code {
    const type = this.#choices.of<JavaType>(['int', 'String', 'Object', 'long', 'boolean']);
    const name = this.#expressions.name('y');
    const inner: Place = { ...place, targets: [], returns: null };
    const lines: string[] = [];
    for (const each of ['case 0', 'case 1, 3', 'default']) {
      const code = this.#list({ ...inner, depth: place.depth - 1 }, 1 + this.#choices.below(2));
      lines.push(
        `${each} -> {`,
        ...indented([
          ...code.lines,
          ...(code.completes ? [`${type} ${name}z = ${this.#value(type, code.inner)};`, `yield ${name}z;`] : []),
        ]),
        '}',
      );
    }
    // One way at least yields.
    lines.splice(0, 0, `case 2 -> ${this.#value(type, inner)};`);
    declare({ name, type, isFinal: true, isAssignable: false });
    return {
      lines: [`${type} ${name} = switch (${this.#value('int', place)} & 3) {`, ...indented(lines), '};'],
      completes: true,
    };
  }

  #localClass(place: Place, declare: (variable: Variable) => void): Code {
    const name = this.#expressions.name('Local');
    const made = this.#expressions.name('fn');
    const parameter = this.#expressions.name('a');
    const captured = this.#expressions.captured(place, [
      { name: parameter, type: 'int', isFinal: false, isAssignable: true },
    ]);
    const inner: Place = { ...place, ...captured, targets: [], returns: 'int', depth: 1, loops: 1 };
    const code = this.#list(inner, 2);
    const last = code.completes ? [`return ${this.#value('int', code.inner)} + own;`] : [];
    declare({ name: made, type: 'Fn', isFinal: true, isAssignable: false });
    return {
      lines: [
        `class ${name} implements Fn {`,
        ...indented([
          `int own = ${this.#value('int', { ...place, ...captured, variables: captured.variables.slice(0, -1) })};`,
          `${name}() { log.append("n"); }`,
          `${name}(int own) { this.own += own; }`,
        ]),
        `  @Override public int apply(int ${parameter}) {`,
        ...indented(indented([...code.lines, ...last])),
        '  }',
        '}',
        `Fn ${made} = new ${name}(${this.#choices.of(['', this.#value('int', place)])});`,
      ],
      completes: true,
    };
  }

  /** A lambda with statements, run at once. */
  #action(place: Place): Code {
    const run = this.#expressions.name('run');
    const captured = this.#expressions.captured(place, []);
    const inner: Place = {
      ...place,
      ...captured,
      targets: [],
      returns: 'void',
      depth: Math.min(place.depth - 1, 1),
      loops: 1,
    };
    const code = this.#list(inner, 2);
    return { lines: [`Runnable ${run} = () -> {`, ...indented(code.lines), '};', `${run}.run();`], completes: true };
  }
}
