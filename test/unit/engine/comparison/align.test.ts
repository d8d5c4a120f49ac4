// Smali of two apps side by side: what counts as a difference, what stands beside what, and what bounds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Comparison, comparedParts, type Difference } from '../../../../server/contract/engine/comparison.ts';
import type { TaskOf } from '../../../../server/contract/process-line/tasks.ts';
import { align } from '../../../../server/engine/comparison/align.ts';
import { packJson } from '../../../../server/vault/packed-json.ts';

/** A comparison that knows these other names. */
function comparisonWith(part: 'classes' | 'methods' | 'fields', name: string, to: string) {
  const renamed: Difference = { state: 'renamed', name, to, first: {}, second: {} };
  const parts = Object.fromEntries(comparedParts.map((one) => [one, { differences: one === part ? [renamed] : [] }]));
  return packJson({ parts } as unknown as Comparison);
}
const noNames = comparisonWith('classes', 'La;', 'La;');

const aligned = (
  first: string | null,
  second: string | null,
  { names = ['Lcom/a/Main;', 'Lcom/a/Main;'], comparison = noNames, whole = false } = {},
) =>
  align({
    kind: 'align',
    first: first === null ? null : { name: names[0]!, text: first },
    second: second === null ? null : { name: names[1]!, text: second },
    comparison,
    whole,
  } satisfies TaskOf<'align'>);
const told = ({ hunks }: ReturnType<typeof align>) =>
  hunks.flatMap(({ rows }) =>
    rows.flatMap(({ state, first, second }) => (state === 'same' ? [] : [[state, first?.trim(), second?.trim()]])),
  );

const method = (name: string, ...lines: string[]) => [`.method public ${name}()V`, ...lines, '.end method', ''];
const text = (...lines: string[]) =>
  ['.class public Lcom/a/Main;', '.super Ljava/lang/Object;', '', ...lines].join('\n');

test('line numbers, names of locals and the places of labels are no difference where there is any other', () => {
  const body = (line: number, label: string, value: string) => [
    `    .line ${line}`,
    `    .local v0, "name":I`,
    `    if-eqz v0, :cond_${label}`,
    `    const-string v0, "${value}"`,
    `    :cond_${label}`,
  ];
  const found = aligned(text(...method('run', ...body(7, '4', 'one'))), text(...method('run', ...body(9, '6', 'two'))));
  assert.deepEqual(told(found), [['changed', 'const-string v0, "one"', 'const-string v0, "two"']]);
});

test('a branch that leads elsewhere is a difference where there is no other', () => {
  const body = (label: string) => text(...method('run', `    goto :goto_${label}`));
  assert.deepEqual(told(aligned(body('1'), body('2'))), [['changed', 'goto :goto_1', 'goto :goto_2']]);
});

test('members in another order stand beside each other, and one that is gone beside nothing', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => method(name, `    const-string v0, "${name}"`));
  const found = aligned(text(...one!, ...two!, ...three!), text(...three!, ...one!));
  assert.deepEqual(told(found), [
    ['removed', '.method public two()V', undefined],
    ['removed', 'const-string v0, "two"', undefined],
    ['removed', '.end method', undefined],
    ['removed', '', undefined],
  ]);
});

test('names that changed are told as such, beside what they were', () => {
  const use = (owner: string, value: string) =>
    text(...method('run', `    invoke-static {}, ${owner}->m()V`, `    const-string v0, "${value}"`));
  const names = { comparison: comparisonWith('classes', 'Lcom/a/Helper;', 'La/b;'), whole: true };
  const found = aligned(use('Lcom/a/Helper;', 'one'), use('La/b;', 'two'), names);
  assert.deepEqual(told(found), [
    ['renamed', 'invoke-static {}, Lcom/a/Helper;->m()V', 'invoke-static {}, La/b;->m()V'],
    ['changed', 'const-string v0, "one"', 'const-string v0, "two"'],
  ]);
  assert.deepEqual(found.counts, { renamed: 1, changed: 1, removed: 0, added: 0 });
});

test('one method stands beside one of another name, without the rest of its class', () => {
  const one = text(...method('run', '    const/4 v0, 0x1'), ...method('stop'));
  const other = text(...method('a', '    const/4 v0, 0x2'), ...method('b'));
  const found = aligned(one, other, { names: ['Lcom/a/Main;->run()V', 'Lcom/a/Main;->a()V'], whole: true });
  assert.deepEqual(told(found), [
    ['changed', '.method public run()V', '.method public a()V'],
    ['changed', 'const/4 v0, 0x1', 'const/4 v0, 0x2'],
  ]);
  assert.ok(found.hunks.every(({ rows }) => rows.every(({ first }) => !first?.includes('stop'))));
});

test('what one side alone has is shown whole', () => {
  const found = aligned(null, text(...method('run')));
  assert.equal(found.counts.added, 5);
  assert.ok(told(found).every(([state]) => state === 'added'));
});

test('texts that have nothing in common are told in bounded time, and long ones are cut', () => {
  const long = (word: string) =>
    text(...method('run', ...Array.from({ length: 30_000 }, (_, line) => `    const-string v0, "${word} ${line}"`)));
  const found = aligned(long('one'), long('two'));
  assert.equal(found.counts.changed, 30_000);
  assert.equal(found.is_cut, true);
  assert.ok(found.hunks.reduce((sum, { rows }) => sum + rows.length, 0) <= 20_000);
});

test('a line of a megabyte without a blank is no harder than another', () => {
  const hostile = text(
    `.field static x:Ljava/lang/String; = "${'L:('.repeat(400_000)}"`,
    ...method('run', 'L'.repeat(999_999)),
  );
  const found = aligned(hostile, text(...method('run')));
  assert.ok(found.hunks.every(({ rows }) => rows.every(({ first }) => (first?.length ?? 0) <= 2001)));
});
