// A place of a class stands at the same code in its smali and in its Java.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JavaLines, SmaliLines } from '../../../renderer/pages/apk/code/class-places.ts';
import { classOf } from '../../../server/engine/exploration/code-classes.ts';
import { javaOf } from '../../../server/engine/exploration/java-source.ts';
import { OpenedApp } from '../../../server/engine/exploration/opened-app.ts';
import { fileSource } from '../../../server/vault/byte-source.ts';
import { realApks } from '../../fixtures/real-apks.ts';

const app = new OpenedApp(fileSource(realApks.apiDemos));
const opened = (name: string) => {
  const code = classOf(app, { name });
  const java = javaOf(app, { class: name, whole: false });
  const smali = new SmaliLines(code);
  const lines = new JavaLines(java);
  const shown = (place: { member?: string; seek?: string; at?: number }) => {
    const line = lines.lineOf(name, { member: null, seek: null, at: null, ...place }, smali);
    return line === null ? null : java.source.split('\n')[line - 1]!.trim();
  };
  return { name, code, java, smali, lines, shown };
};
const demo = opened('Lio/appium/android/apis/os/SmsMessagingDemo;');

test('every instruction has its line of the smali, and every call is on the line of the Java that has its name', () => {
  const printed = demo.code.smali.split('\n');
  let calls = 0;
  for (const { name, descriptor, addresses } of demo.code.methods) {
    const lines = demo.smali.instructions(`${name}${descriptor}`);
    assert.deepEqual([...lines.keys()], addresses);
    for (const [at, line] of lines) {
      const called = /^ {4}invoke\S+ .*->(\w+)\(/.exec(printed[line - 1]!)?.[1];
      if (called === undefined) continue;
      calls++;
      const shown = demo.shown({ member: `${name}${descriptor}`, at })!;
      assert.ok(shown.includes(`${called}(`), `${called}: ${shown}`);
    }
  }
  assert.ok(calls > 10);
});

test('a member is found by its name or as it is declared, and a text of the smali at the Java that is made of it', () => {
  const shown = demo.shown({ member: 'onCreate' });
  assert.match(shown!, /void onCreate\(Bundle \w+\) \{/);
  assert.equal(demo.shown({ member: 'onCreate(Landroid/os/Bundle;)V' }), shown);
  assert.match(
    demo.shown({ member: 'onCreate', seek: 'SmsMessagingDemo$1;-><init>' })!,
    /new CompoundButton\.OnCheckedChangeListener\(\) \{/,
  );
  assert.equal(demo.shown({}), null);
  assert.equal(demo.shown({ member: 'noSuch' }), null);
});

test('a class that stands in another is at its own declaration, and a value of a field at the field', () => {
  const name = 'Landroidx/core/text/ICUCompat;';
  const nested = [...app.tree.descriptors()].find((one) => one.startsWith('Lio/appium/') && /\$[A-Z]\w+;$/.test(one))!;
  const found = opened(nested);
  assert.notEqual(found.java.class, nested);
  assert.ok(found.shown({})!.includes(nested.slice(nested.lastIndexOf('$') + 1, -1)));
  assert.match(opened(name).shown({ member: '<clinit>()V' })!, /^static \{|=/);
});

test('the lines of both texts that show the same code are paired, and references are parted ranges in order', () => {
  const pairs = demo.lines.pairsWith(demo.code, demo.smali);
  const [java, smali] = [demo.java.source.split('\n'), demo.code.smali.split('\n')];
  assert.ok(
    pairs.some(
      ({ first, second }) => java[first - 1]!.includes('onCreate(') && smali[second - 1]!.includes('onCreate('),
    ),
  );
  assert.ok(pairs.every(({ first, second }) => first <= java.length && second <= smali.length));
  const { references } = demo.lines;
  assert.ok(references.length > 20);
  for (const [index, { start, end }] of references.entries()) {
    assert.ok(start < end && start >= (references[index - 1]?.end ?? 0));
  }
});
