// Random Java expressions, each of a type that is asked for. Knows no statements.
import type { Choices } from './choices.ts';
import { freshValue } from './fresh-values.ts';
import { boxes, componentOf, type JavaType, objects, primitives, unboxed, widened } from './world.ts';

export interface Variable {
  readonly name: string;
  readonly type: JavaType;
  /** Nothing is ever assigned to it: lambdas may capture it. */
  readonly isFinal: boolean;
  readonly isAssignable: boolean;
}

export interface Method {
  readonly name: string;
  readonly returns: JavaType | 'void';
  readonly parameters: readonly JavaType[];
  readonly isStatic: boolean;
  readonly throwsOops: boolean;
}

/** What can be named at a place. */
export interface Scope {
  readonly variables: readonly Variable[];
  readonly fields: readonly (Variable & { readonly isStatic: boolean })[];
  /** What may be called without going round. */
  readonly methods: readonly Method[];
  readonly isStatic: boolean;
  /** Somebody catches an `Oops`, or the method declares it. */
  readonly mayThrow: boolean;
}

const chainOf = (parts: readonly string[]) => parts.join(' ');

export class Expressions {
  readonly #choices: Choices;
  #tag = 0;
  #names = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** A name that nothing else has. */
  name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  /** What can stand anywhere, before a dot too. @param depth how deep it may nest */
  of(type: JavaType, scope: Scope, depth: number): string {
    const isLeaf = depth <= 0 || this.#choices.chance(0.15);
    const text = isLeaf
      ? this.#leaf(type, scope)
      : (this.#general(type, scope, depth) ?? this.#special(type, scope, depth - 1) ?? this.#leaf(type, scope));
    return /^[\w.]+$|^"[^"]*"$|^'[^']*'$/.test(text) ? text : `(${text})`;
  }

  /** What is of this type by itself too, where a conversion would make another one of it. */
  #typed(type: JavaType, scope: Scope, depth: number): string {
    return `((${type}) ${this.of(type, scope, depth)})`;
  }

  /** Variables, fields and elements that can be assigned, of one type. */
  assignable(type: JavaType, scope: Scope, depth: number): string | null {
    const found = [
      ...scope.variables.filter((each) => each.type === type && each.isAssignable).map(({ name }) => name),
      ...this.#fieldsOf(type, scope),
    ];
    const holders = scope.variables.filter((each) => each.type === `${type}[]`);
    if (holders.length > 0 && this.#choices.chance(0.4))
      return this.#element(this.#choices.of(holders).name, scope, depth);
    return found.length === 0 ? null : this.#choices.of(found);
  }

  #fieldsOf(type: JavaType, scope: Scope): string[] {
    return scope.fields
      .filter((each) => each.type === type && (each.isStatic || !scope.isStatic))
      .map(({ name, isStatic }) => {
        const isHidden = scope.variables.some((each) => each.name === name);
        return isHidden || this.#choices.chance(0.2) ? `${isStatic ? 'Main' : 'Main.this'}.${name}` : name;
      });
  }

  #element(array: string, scope: Scope, depth: number): string {
    const index = this.of('int', scope, Math.min(depth, 2));
    return this.#choices.chance(0.9) ? `${array}[${index} & 3]` : `${array}[${index}]`;
  }

  #readable(type: JavaType, scope: Scope): string[] {
    const types = [type, ...(widened[type] ?? [])];
    return [
      ...scope.variables.filter((each) => types.includes(each.type)).map(({ name }) => name),
      ...this.#fieldsOf(type, scope),
    ];
  }

  #leaf(type: JavaType, scope: Scope): string {
    const named = this.#readable(type, scope);
    if (named.length > 0 && this.#choices.chance(0.75)) return this.#choices.of(named);
    return freshValue(type, this.#choices);
  }

  /** Forms that every type has. */
  #general(type: JavaType, scope: Scope, depth: number): string | null {
    const { of, chance } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth - 1);
    const target = chance(0.12) ? this.assignable(type, scope, depth - 1) : null;
    if (target !== null) return `${target} = ${deeper(type)}`;
    if (chance(0.12)) return `${deeper('boolean')} ? ${deeper(type)} : ${deeper(type)}`;
    if (chance(0.08)) return this.#switched(type, scope, depth - 1);
    if (chance(0.1) && type !== 'byte' && type !== 'short' && type !== 'float') return this.#traced(type, deeper(type));
    if (chance(0.12)) return this.#call(type, scope, depth - 1);
    if (chance(0.08)) {
      const holders = scope.variables.filter((each) => each.type === `${type}[]`);
      if (holders.length > 0) return this.#element(of(holders).name, scope, depth - 1);
    }
    return null;
  }

  #traced(type: JavaType, inner: string): string {
    return `(${type}) t(${this.#tag++}, ${inner})`;
  }

  #switched(type: JavaType, scope: Scope, depth: number): string {
    const { of, chance } = this.#choices;
    const value = () => this.of(type, scope, depth - 1);
    const color = chance(0.4);
    const over = color ? this.of('Color', scope, 1) : `${this.of('int', scope, 1)} & 7`;
    const labels = color
      ? ['RED', 'GREEN, BLUE', 'DARK']
      : of([['0', '1, 2', '5'], ['3'], ['0', '7', '6, 4, 1'], ['2', '3']]);
    const last = this.name('z');
    const otherwise = chance(0.2)
      ? 'default -> throw new IllegalStateException("none");'
      : `default -> { ${type} ${last} = ${value()}; yield ${last}; }`;
    return `switch (${over}) { ${labels.map((label) => `case ${label} -> ${value()};`).join(' ')} ${otherwise} }`;
  }

  #call(type: JavaType, scope: Scope, depth: number): string | null {
    const found = scope.methods.filter(
      ({ returns, isStatic, throwsOops }) =>
        (returns === type || (widened[type] ?? []).some((each) => each === returns)) &&
        (isStatic || !scope.isStatic) &&
        (scope.mayThrow || !throwsOops),
    );
    return found.length === 0 ? null : this.callOf(this.#choices.of(found), scope, depth);
  }

  callOf({ name, parameters }: Method, scope: Scope, depth: number): string {
    return `${name}(${parameters.map((each) => this.of(each, scope, depth)).join(', ')})`;
  }

  #special(type: JavaType, scope: Scope, depth: number): string | null {
    switch (type) {
      case 'int':
      case 'long':
        return this.#integral(type, scope, depth);
      case 'float':
      case 'double':
        return this.#floating(type, scope, depth);
      case 'byte':
      case 'short':
      case 'char':
        return this.#narrow(type, scope, depth);
      case 'boolean':
        return this.#boolean(scope, depth);
      case 'String':
        return this.#string(scope, depth);
      case 'Fn':
        return this.#lambda(scope, depth);
      default:
        return (boxes as readonly JavaType[]).includes(type)
          ? `(${type}) (${unboxed[type]!}) ${this.of(unboxed[type]!, scope, depth)}`
          : this.#object(type, scope, depth);
    }
  }

  #integral(type: 'int' | 'long', scope: Scope, depth: number): string {
    const { of, chance } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    const forms: (() => string)[] = [
      () => chainOf([deeper(type), of(['+', '-', '*', '&', '|', '^']), deeper(type)]),
      () => chainOf([deeper(type), of(['+', '-', '*', '/', '%']), deeper(type)]),
      () => chainOf([deeper(type), of(['<<', '>>', '>>>']), deeper(of(['int', 'int', 'long', 'byte']))]),
      () => `${of(['-', '~', '+'])} ${deeper(type)}`,
      () => `(${type}) ${deeper(of(['double', 'float', 'long', 'int', 'char']))}`,
      () => this.#stepped(type, scope, depth) ?? deeper(type),
      () => this.#compound(type, scope, depth) ?? deeper(type),
    ];
    if (type === 'long')
      forms.push(
        () => `(long) Long.valueOf(${deeper('long')})`,
        () => `(long) ${deeper('int')} << 32`,
      );
    else
      forms.push(
        () => this.#measured(scope, depth),
        () => this.#measured(scope, depth),
        () => this.#overloaded(scope, depth),
      );
    return chance(0.1) ? `${deeper(type)} + ${deeper('char')}` : of(forms)();
  }

  /** `x++` and its like. */
  #stepped(type: JavaType, scope: Scope, depth: number): string | null {
    const { of, chance } = this.#choices;
    const target = this.assignable(of<JavaType>([type, type, 'byte', 'short', 'char']), scope, depth);
    if (target === null) return null;
    const sign = of(['++', '--']);
    return chance(0.5) ? `${target}${sign}` : `${sign}${target}`;
  }

  /** `x += y`: `x` is narrowed without a word. */
  #compound(type: JavaType, scope: Scope, depth: number): string | null {
    const { of } = this.#choices;
    const own = of<JavaType>(type === 'int' ? ['int', 'byte', 'short', 'char'] : [type]);
    const target = this.assignable(own, scope, depth);
    if (target === null) return null;
    const isFloating = type === 'float' || type === 'double';
    const operator = of([
      '+=',
      '-=',
      '*=',
      '/=',
      '%=',
      ...(isFloating ? [] : ['<<=', '>>=', '>>>=', '&=', '|=', '^=']),
    ]);
    const isWhole = /[<>&|^]/.test(operator);
    const right = of<JavaType>(isWhole ? ['int', 'long', 'char'] : ['int', 'long', 'double', 'char', 'float']);
    return `${target} ${operator} ${this.of(right, scope, depth)}`;
  }

  #measured(scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    return of([
      () => `${deeper('String')}.length()`,
      () => `${deeper('String')}.indexOf(${deeper('char')})`,
      () => `Integer.compare(${deeper('int')}, ${deeper('short')})`,
      () => `Long.compare(${deeper('long')}, ${deeper('int')})`,
      () => `Double.compare(${deeper('double')}, ${deeper('float')})`,
      () => `Math.max(${deeper('int')}, ${deeper('char')})`,
      () => `${deeper('Color')}.weigh(${deeper('int')})`,
      () => `${deeper('Color')}.ordinal()`,
      () => `${deeper('Point')}.${of(['x()', 'y()', 'sum()', 'y'])}`,
      () => `${deeper('Base')}.${of(['tell', 'twice'])}(${deeper('int')})`,
      () => `((Base) ${deeper('Middle')}).hidden`,
      () => `${deeper('Middle')}.${of(['hidden', 'extra', 'depth()', 'k', 'self().extra'])}`,
      () => `${deeper('Middle')}.new Inner().sum(${deeper('int')})`,
      () => `((Middle) (Base) ${deeper('Base')}).extra`,
      () => `${deeper('Fn')}.apply(${deeper('int')})`,
      () => `${deeper('List<Integer>')}.get(${deeper('int')} & 1)`,
      () => `${deeper('List<String>')}.size()`,
      () => `${deeper('Box<Integer>')}.put(${this.#typed('int', scope, depth)}).get()`,
      () => `most(${deeper('List<Integer>')})`,
      () => `(int) total(${deeper('List<Integer>')})`,
      () => `${deeper('Shape')}.${of(['open', 'corners'])}()`,
      () => `${deeper('Integer')}`,
      () => `(int) (Object) (Integer) ${deeper('Integer')}`,
      () => `${deeper('int[]')}.length`,
      () => `${deeper('Map<String, Integer>')}.getOrDefault(${deeper('String')}, ${deeper('int')})`,
      () => `Leaf.TABLE[${deeper('int')} & 1]`,
      () => `either(${deeper('boolean')}, ${deeper('Integer')}, ${deeper('int')})`,
    ])();
  }

  #overloaded(scope: Scope, depth: number): string {
    const { of, chance } = this.#choices;
    const type = of<JavaType>([...primitives, ...boxes, ...objects, 'int[]', 'Color', 'Integer[]']);
    if (chance(0.06)) return `o((${of(['Object', 'String', 'Integer', 'int[]', 'Object[]', 'List<Integer>'])}) null)`;
    if (chance(0.06)) return `o((List) ${this.of('List<String>', scope, 1)})`;
    return `o(${this.of(type, scope, depth)})`;
  }

  #floating(type: 'float' | 'double', scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    return of([
      () => chainOf([deeper(type), of(['+', '-', '*', '/', '%']), deeper(type)]),
      () => chainOf([deeper(type), of(['+', '*']), deeper(of(['int', 'long', 'char']))]),
      () => `- ${deeper(type)}`,
      () => `(${type}) ${deeper(of(['double', 'long', 'int']))}`,
      () => (type === 'double' ? `Math.floor(${deeper('double')})` : `(float) ${deeper('int')}`),
      () => this.#stepped(type, scope, depth) ?? deeper(type),
      () => this.#compound(type, scope, depth) ?? deeper(type),
    ])();
  }

  #narrow(type: 'byte' | 'short' | 'char', scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    return of([
      () => `(${type}) ${deeper(of(['int', 'long', 'double', 'char', 'byte', 'float']))}`,
      () => `(${type}) (${deeper('int')} ${of(['+', '>>>', '&'])} ${deeper('int')})`,
      () => (type === 'char' ? `${deeper('String')}.charAt(${deeper('int')} & 1)` : `(${type}) ${deeper('char')}`),
      () => this.#smallTarget(type, scope, depth) ?? `(${type}) (${deeper('int')})`,
    ])();
  }

  #smallTarget(type: JavaType, scope: Scope, depth: number): string | null {
    const { of } = this.#choices;
    const target = this.assignable(type, scope, depth);
    if (target === null) return null;
    const right = `${of(['+=', '^=', '>>>=', '*='])} (int) ${this.of(of(['int', 'double', 'char']), scope, depth)}`;
    return of([`${target}++`, `--${target}`, `${target} ${right}`]);
  }

  #boolean(scope: Scope, depth: number): string {
    const { of, chance } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    const number = () => of<JavaType>(['int', 'long', 'double', 'float', 'char', 'byte', 'int', 'int']);
    const target = this.assignable('boolean', scope, depth);
    if (target !== null && chance(0.1)) return `${target} ${of(['&=', '|=', '^='])} ${deeper('boolean')}`;
    return of([
      () => chainOf([deeper(number()), of(['<', '>', '<=', '>=', '==', '!=']), deeper(number())]),
      () => chainOf([deeper(number()), of(['<', '>', '<=', '>=', '==', '!=']), deeper(number())]),
      () => chainOf([deeper('boolean'), of(['&&', '||']), deeper('boolean')]),
      () => chainOf([deeper('boolean'), of(['&&', '||']), deeper('boolean')]),
      () => chainOf([deeper('boolean'), of(['&', '|', '^', '==', '!=']), deeper('boolean')]),
      () => `!${deeper('boolean')}`,
      () => chainOf([this.#typed('Integer', scope, depth), of(['==', '<', '!=']), deeper('int')]),
      () => chainOf([this.#typed('Object', scope, depth), of(['==', '!=']), deeper(of(['String', 'Object', 'Color']))]),
      () => chainOf([deeper(of(['String', 'Middle', 'Color', 'int[]'])), of(['==', '!=']), 'null']),
      () => `${deeper('String')}.equals(${deeper('String')})`,
      () =>
        `(Object) ${deeper('Object')} instanceof ${of(['String', 'Integer', 'Comparable', 'int[]', 'Color', 'Base', 'Point'])}`,
      () => this.#pattern(scope, depth),
      () => deeper('Boolean'),
    ])();
  }

  /** `x instanceof T y && …` */
  #pattern(scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const [from, type] = of<[JavaType, JavaType]>([
      ['Object', 'String'],
      ['Object', 'Integer'],
      ['Object', 'Character'],
      ['Object', 'Leaf'],
      ['Base', 'Leaf'],
      ['Object', 'int[]'],
      ['Object', 'Point'],
    ]);
    const name = this.name('is');
    const variable: Variable = { name, type, isFinal: true, isAssignable: false };
    const inner = { ...scope, variables: [...scope.variables, variable] };
    return `(Object) ${this.of(from, scope, depth)} instanceof ${type} ${name} && ${this.of('boolean', inner, depth)}`;
  }

  #string(scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    const any = () => of<JavaType>([...primitives, 'String', 'String', 'Integer', 'Character', 'Color', 'Point']);
    const target = this.assignable('String', scope, depth);
    const forms = [
      () => `"" + ${deeper(any())} + ${deeper(any())}`,
      () => `${this.#typed('String', scope, depth)} + ${deeper(any())}`,
      () => `${deeper(any())} + "" + ${deeper('char')} + ${deeper('String')}`,
      () => `${deeper('int')} + ${deeper('char')} + (String) ${deeper('String')}`,
      () => `String.valueOf(${deeper(of(['int', 'char', 'double', 'long', 'boolean']))})`,
      () => `(${this.#typed('String', scope, depth)} + ${deeper('String')}).substring(${deeper('int')} & 1)`,
      () =>
        `new StringBuilder().append(${deeper(any())}).append(${deeper('char')}).insert(0, ${deeper('int')}).toString()`,
      () => `show(${deeper(of(['int[]', 'String[]', 'Base', 'Shape', 'Box<Integer>', 'Point']))})`,
      () => `${deeper('Color')}.name()`,
      () => `String.join("-", ${deeper('List<String>')})`,
      () => `${deeper('List<Integer>')}.stream().map(x -> x + 1).map(String::valueOf).collect(Collectors.joining("/"))`,
      () => `String.format("%s|%s", ${deeper(any())}, ${deeper('Integer')})`,
    ];
    if (target !== null) forms.push(() => `${target} += ${deeper(any())}`);
    return of(forms)();
  }

  #lambda(scope: Scope, depth: number): string {
    const { of } = this.#choices;
    const name = this.name('x');
    const inner = this.captured(scope, [{ name, type: 'int', isFinal: true, isAssignable: false }]);
    const body = this.of('int', inner, Math.min(depth, 3));
    return of([
      () => `(Fn) (${name} -> ${body})`,
      () => `(Fn) ${name} -> { log.append("l"); return ${body}; }`,
      () => `new Fn() { int own = 1; @Override public int apply(int ${name}) { own++; return own + ${body}; } }`,
      () => `${this.of('Fn', scope, depth - 1)}.then(${name} -> ${body})`,
      () => `(Fn) ${this.of('Base', scope, 1)}::tell`,
      () => `(Fn) ${this.of('Fn', scope, 1)}::apply`,
      () => '(Fn) Integer::bitCount',
    ])();
  }

  /** Whole numbers of variables alone, for code that runs while classes are initialised. */
  simple(variables: readonly Variable[]): string {
    const { of } = this.#choices;
    const value = () => of([...variables.map(({ name }) => name), String(this.#choices.below(40))]);
    return `(${value()} ${of(['+', '-', '*', '^', '>>', '&'])} ${value()} ${of(['+', '|'])} ${value()})`;
  }

  /** The scope of a lambda or of a class in a method. */
  captured(scope: Scope, parameters: readonly Variable[]): Scope {
    return {
      ...scope,
      variables: [...scope.variables.filter(({ isFinal }) => isFinal), ...parameters],
      mayThrow: false,
    };
  }

  #object(type: JavaType, scope: Scope, depth: number): string | null {
    const { of } = this.#choices;
    const deeper = (wanted: JavaType) => this.of(wanted, scope, depth);
    switch (type) {
      case 'Object':
        return `(Object) ${this.of(of<JavaType>([...primitives, ...boxes, 'String', 'int[]', 'Color', 'Base', 'Shape', 'Point']), scope, depth)}`;
      case 'Color':
        return of([
          () => `${deeper('Color')}.next()`,
          () => `Color.values()[${deeper('int')} & 3]`,
          () => `Color.valueOf(${deeper('Color')}.name())`,
        ])();
      case 'Point':
        return `new Point(${deeper('int')}, ${deeper('int')})`;
      case 'Base':
      case 'Middle':
      case 'Leaf':
        return type === 'Base' ? deeper('Middle') : `new ${type}(${deeper('int')})`;
      case 'Shape':
        return of([
          () => `new Group(${deeper('Shape')}, ${deeper('Shape')})`,
          () => `new Square(${deeper('long')})`,
          () => `new Circle(${deeper('int')})`,
        ])();
      case 'Box<Integer>':
        return of([
          () => `${deeper('Box<Integer>')}.map(x -> x + 1)`,
          () => `new Box<>(${deeper('Integer')})`,
          () => `${deeper('Box<Integer>')}.put(${this.#typed('int', scope, depth)})`,
        ])();
      case 'List<Integer>':
        return of([
          () => `listed(${this.#typed('int', scope, depth)}, ${this.#typed('Integer', scope, depth)})`,
          () => `${deeper('List<Integer>')}.stream().filter(x -> x > 1).collect(Collectors.toList())`,
          () => `listed(${this.#typed('Integer[]', scope, depth)})`,
        ])();
      case 'List<String>':
        return `listed(${deeper('String')}, ${deeper('String')})`;
      default:
        return type.endsWith('[]') && type !== 'int[][]' && type !== 'Integer[]'
          ? `new ${type} {${[1, 2, 3, 4].map(() => this.of(componentOf(type), scope, depth - 1)).join(', ')}}`
          : null;
    }
  }
}
