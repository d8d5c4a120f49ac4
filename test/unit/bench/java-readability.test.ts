// What the bench of readability counts in Java source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingRead, readInto } from '../../bench/java-readability.ts';

const read = (source: string) => {
  const sum = nothingRead();
  readInto(sum, source);
  return sum;
};
const inMethod = (code: string) => read(`class A {\n void f(int count) {\n${code}\n}\n}`);

test('methods, constructors and initialisers with a body are counted, also of classes within', () => {
  const source = `@Note(values = {1, 2}) public class A<T extends B> {
    static final int[] table = {1, 2};
    static { run(); }
    A(int size) throws E { super(size); }
    abstract void none();
    Object make() { return new Object() { public String toString() { return "}"; } }; }
    enum Kind { ONE { void f() { } }, TWO(2); Kind() { } }
    Runnable run = () -> { stop(); };
  }`;
  assert.equal(read(source).methods, 6);
});

test('casts are told from calls, conditions and lambdas', () => {
  const code = `a = (String) b; c = (int) -d; e = (f) - g; if (h) (i).j(); k((List<String>) l, (byte[]) m); n((o) -> p);
    return (q) ? (Object) (r) : !(boolean) s;`;
  assert.equal(inMethod(code).casts, 6);
});

test('labels are told from cases, choices and assertions', () => {
  const code = `outer: while (a) { switch (b) { case C: d(); break outer; default: e = f ? g : h; } }
    inner: { break inner; }`;
  assert.equal(inMethod(code).labels, 2);
});

test('variables that are called by a number or after their type are counted by themselves', () => {
  const code = `String v12 = null; int p0 = 1; StringBuilder builder2 = a(); boolean flag = b(); String[] strings = c();
    for (Map.Entry<String, Integer> entry : d) { final long total = e; }
    try { f(); } catch (IOException | RuntimeException e) { }`;
  const { variables, unnamed, calledByType } = inMethod(code);
  assert.deepEqual({ variables, unnamed, calledByType }, { variables: 9, unnamed: 2, calledByType: 5 });
});

test('the depth of a method is that of its innermost braces, without those of values and classes', () => {
  const code = `if (a) { for (;;) { int[] b = {1}; } } else { c(new D() { void d() { if (e) { } } }); }`;
  assert.deepEqual({ depth: inMethod(code).depth, deep: inMethod(code).deep }, { depth: 3, deep: 0 });
  assert.equal(inMethod('{{{{{ }}}}}').deep, 1);
});
