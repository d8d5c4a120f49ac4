// Code that is taken elsewhere: hooks run, rules compile, and no name gets out of its quotes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { byteRule, hexOf } from '../../../renderer/components/code/byte-rule.ts';
import { literalText } from '../../../renderer/components/code/string-literal.ts';
import { fridaHook, yaraRule } from '../../../renderer/pages/apk/code/copied-code.ts';
import { checkRules } from '../../../server/engine/yara/yara-tasks.ts';

/** Runs a hook against a stand-in for Frida's `Java` that notes what is asked of it. */
function hooked(script: string): unknown[] {
  const asked: unknown[] = [];
  const method = { call: (_: unknown, value: number) => value * 2, implementation: (_: number) => 0 };
  const overloads = new Proxy(
    {},
    {
      get: (_, name) => ({
        overload: (...types: string[]) => {
          asked.push(name, ...types);
          return method;
        },
      }),
    },
  );
  const use = (name: string) => {
    asked.push(name);
    return overloads;
  };
  runInNewContext(script, {
    Java: { perform: (run: () => void) => run(), use },
    console: { log: (text: string) => asked.push(text) },
  });
  asked.push(method.implementation(21));
  return asked;
}

test('a hook of a method tells its values and its result, and answers with that', () => {
  assert.deepEqual(hooked(fridaHook('Lcom/a/B;->m(I[Ljava/lang/String;[JLcom/a/B$C;)I')!), [
    'com.a.B',
    'm',
    'int',
    '[Ljava.lang.String;',
    '[J',
    'com.a.B$C',
    'com.a.B.m(21) = 42',
    42,
  ]);
  assert.deepEqual(hooked(fridaHook('La;-><init>()V')!).slice(0, 2), ['a', '$init']);
});

test('names of any characters stay within the quotes of a hook', () => {
  const name = `m"'];\u2028throw\`\${1}\\`;
  assert.deepEqual(hooked(fridaHook(`La"b\\;->${name}()V`)!).slice(0, 2), ['a"b\\', name]);
});

/** Runs the watch of a field that has these values second by second, in one object or in none. */
function watched(target: string, isStatic: boolean, values: readonly number[]): unknown[] {
  const asked: unknown[] = [];
  const noting = (answer: object) => (name: string) => {
    asked.push(name);
    return answer;
  };
  let second = 0;
  const field = { setAccessible: () => undefined, getModifiers: () => Number(isStatic), get: () => values[second] };
  const classes: Record<string, unknown> = {
    'java.lang.reflect.Modifier': { isStatic: (modifiers: number) => modifiers === 1 },
    'java.lang.System': { identityHashCode: () => 0xabc },
  };
  const owner = { class: { getDeclaredField: noting(field) } };
  const use = (name: string) => classes[name] ?? noting(owner)(name);
  const choose = (_: string, { onMatch }: { onMatch: (object: object) => void }) => onMatch({});
  const told: string[] = [];
  runInNewContext(fridaHook(target)!, {
    Java: { perform: (run: () => void) => run(), use, choose },
    setInterval: (look: () => void) => {
      for (; second < values.length; second++) look();
    },
    console: { log: (text: string) => told.push(text) },
  });
  return [...asked.slice(0, 2), ...told];
}

test('the watch of a field tells each value once, of an object beside its identity', () => {
  assert.deepEqual(watched('Lcom/a/B;->f:I', true, [1, 1, 2]), ['com.a.B', 'f', 'com.a.B.f = 1', 'com.a.B.f = 2']);
  assert.deepEqual(watched('La;->m"\':J', false, [7]), ['a', 'm"\'', 'a.m"\'@abc = 7']);
});

test('a static initialiser and a constant cannot be hooked; a class is by all its methods', () => {
  for (const target of ['La;-><clinit>()V', '"text']) assert.equal(fridaHook(target), null);
  assert.match(fridaHook('Lcom/a/B;')!, /getDeclaredMethods/);
});

test('a rule has the names that are long enough and the constants of the code, escaped as dex files hold them', () => {
  assert.equal(
    yaraRule('Lcom/a/B;->decode(I)V', ['key', 'ä\u0000"\\', 'key']),
    'rule code_Lcom_a_B_decode\n{\n    strings:\n        $0 = "Lcom/a/B;"\n        $1 = "decode"\n        $2 = "key"\n' +
      '        $3 = "\\xc3\\xa4\\xc0\\x80\\"\\\\"\n    condition:\n        all of them\n}\n',
  );
  assert.match(yaraRule('"http://x', [])!, /\$0 = "http:\/\/x"/);
  assert.equal(yaraRule('"', []), null);
  for (const target of ['Lcom/a/B;->decode(I)V', '"a\\b"c\n\u2028', 'L\u00e4;'])
    assert.deepEqual(checkRules(yaraRule(target, ['{', '*/'])!).errors, []);
});

test('a rule of a constant finds it in two bytes a character too', () => {
  assert.match(yaraRule('"http://x', [])!, /\$0 = "http:\/\/x" ascii wide\n.*any of them/s);
  assert.match(yaraRule('"\u00e4b', [])!, /\$0 = "\\xc3\\xa4b"\n +\$1 = \{ e4 00 62 00 \}/);
  assert.deepEqual(checkRules(yaraRule('"\u00e4b', [])!).errors, []);
});

test('a rule of bytes begins and ends with what is told, is cut, and is none of too few', () => {
  const rule = byteRule('La/B;->"m\n', '?? 1a 00 ?? ?? 71 10 ?? ?? ??')!;
  assert.match(rule, /^rule bytes_La_B_m\n/);
  assert.match(rule, /\{\n +1a 00 \?\? \?\? 71 10\n +\}/);
  assert.deepEqual(checkRules(rule).errors, []);
  assert.equal(byteRule('a', '0e 00 ?? ?? 12'), null);
  assert.equal(byteRule('a', hexOf(new Uint8Array(5000).fill(7)))!.match(/07/g)!.length, 1000);
});

test('a literal is read as Java and smali write it', () => {
  assert.equal(literalText('"a\\n\\u00e4\\\\\\"\\101\\0"'), 'a\nä\\"A\0');
  assert.equal(literalText('no'), null);
});
