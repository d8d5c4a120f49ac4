// A random Java program that prints all it works out: the same seed, the same program. Knows no compiler.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Choices, randomOf } from './choices.ts';
import { Expressions, type Method, type Scope, type Variable } from './expressions.ts';
import { Statements } from './statements.ts';
import { arrays, boxes, declared, type JavaType, objects, primitives, worldOf } from './world.ts';

type Field = Variable & { readonly isStatic: boolean };

const fieldTypes: readonly JavaType[] = [
  'int',
  'long',
  'byte',
  'short',
  'char',
  'double',
  'float',
  'boolean',
  'String',
  'Integer',
  'int[]',
  'Character',
  'Object',
];

function fieldsOf(choices: Choices): Field[] {
  return fieldTypes.map((type, index) => ({
    name: `f${index}`,
    type,
    isFinal: false,
    isAssignable: true,
    isStatic: choices.chance(0.5),
  }));
}

function signature(choices: Choices, index: number): Method {
  const types: readonly JavaType[] = [...primitives, ...primitives, ...boxes, ...arrays, ...objects, ...declared];
  const parameters = Array.from({ length: choices.below(4) }, () => choices.of(types));
  const returns = choices.chance(0.2) ? 'void' : choices.of(types);
  return { name: `m${index}`, returns, parameters, isStatic: choices.chance(0.6), throwsOops: choices.chance(0.3) };
}

/** @returns the text of a file `Main.java` without a package */
function randomProgram(seed: number): string {
  const choices = new Choices(randomOf(seed, 'program'));
  const expressions = new Expressions(choices);
  const statements = new Statements(choices, expressions);
  const fields = fieldsOf(choices);
  const methods: Method[] = [];
  const bodies: string[] = [];
  const nothing: Scope = { variables: [], fields: [], methods: [], isStatic: true, mayThrow: false };
  const size = 3 + choices.below(5);
  for (let index = 0; index < size; index++) {
    const method = signature(choices, index);
    const parameters = method.parameters.map((type, at): Variable => {
      const isFinal = choices.chance(0.4);
      return { name: `p${index}${'abcd'[at]}`, type, isFinal, isAssignable: !isFinal };
    });
    const scope: Scope = {
      variables: parameters,
      fields,
      methods,
      isStatic: method.isStatic,
      mayThrow: method.throwsOops,
    };
    const lines = statements.body(scope, method.returns, 3 + choices.below(6));
    const list = parameters.map(({ name, type }) => `${type} ${name}`).join(', ');
    const head = `${method.isStatic ? 'static ' : ''}${method.returns} ${method.name}(${list})${method.throwsOops ? ' throws Oops' : ''} {`;
    bodies.push(`  ${head}`, ...lines.map((line) => `    ${line}`), '  }');
    methods.push(method);
  }
  const declaredFields = fields.map(
    ({ name, type, isStatic }) =>
      `  ${isStatic ? 'static ' : ''}${type} ${name} = ${expressions.of(type, nothing, 2)};`,
  );
  const shown = fields.map(({ name, isStatic }) => `show(${isStatic ? '' : 'main.'}${name})`).join(' + "," + ');
  const calls = methods.flatMap((method) =>
    [0, 1].flatMap(() => {
      const call = `${method.isStatic ? '' : 'main.'}${expressions.callOf(method, nothing, 2)}`;
      const told = method.returns === 'void' ? `${call};` : `log.append(show(${call}));`;
      return [
        '    try {',
        `      ${told}`,
        '    } catch (Throwable thrown) {',
        '      log.append(show(thrown));',
        '    }',
        '    flush();',
        `    System.out.println(${shown});`,
      ];
    }),
  );
  const filling = {
    choices,
    expression: (names: readonly string[]) =>
      expressions.simple(names.map((name) => ({ name, type: 'int', isFinal: true, isAssignable: false }))),
  };
  return [
    'import java.util.*;',
    'import java.util.function.*;',
    'import java.util.stream.*;',
    '',
    '@SuppressWarnings({"unchecked", "rawtypes"})',
    'public class Main {',
    worldOf(filling),
    ...declaredFields,
    ...bodies,
    '  static void flush() { System.out.println(log); log.setLength(0); }',
    '  public static void main(String[] args) {',
    '    Main main = new Main();',
    ...calls,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Writes the random programs of some seeds, each to a sub-folder with the seed's name. @returns the folder */
export function writeRandomPrograms(folder: string, seed: number, count: number): string {
  for (let each = seed; each < seed + count; each++) {
    const place = join(folder, String(each));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'Main.java'), randomProgram(each));
  }
  return folder;
}
