import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScanTimeout } from '../../../../../server/engine/yara/engines/engine.ts';
import { openNativeEngine } from '../../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../../server/engine/yara/engines/wasm-engine.ts';

for (const engine of [openNativeEngine(), openWasmEngine()]) {
  if (engine === null) continue;

  test(`what the compiler of the ${engine.name} engine says is read into its parts`, () => {
    const { errors } = engine.check('rule r {\n  condition:\n    unknown + 1\n}', []);
    assert.equal(errors.length, 1);
    const { code, title, labels, place, width } = errors[0]!;
    assert.deepEqual([code, title], ['E009', 'unknown identifier `unknown`']);
    assert.deepEqual(labels, ['this identifier has not been declared']);
    assert.deepEqual([place, width], [{ line: 3, column: 5 }, 'unknown'.length]);
  });

  test(`a warning of the ${engine.name} engine has its advice and several labels in their order`, () => {
    const { errors, warnings } = engine.check('rule r { strings: $a = "x" condition: 2 of ($a) and 1 }', []);
    assert.deepEqual(errors, []);
    const [number] = warnings.filter(({ title }) => title === 'non-boolean expression used as boolean');
    assert.equal(number?.help, 'non-zero integers are considered `true`, while zero is `false`');
    assert.equal(number.labels.length, 1);
    const {
      errors: [mismatch],
    } = engine.check('rule r { condition: "a" == 1 }', []);
    assert.deepEqual(mismatch?.labels, ['this expression is `string`', 'this expression is `integer`']);
  });

  test(`a scan of the ${engine.name} engine that takes too long is told from one that fails`, () => {
    const slow = 'rule s { condition: for all i in (0..100000000000) : (i != filesize + 1000000000000) }';
    const rules = engine.compile([{ namespace: 'n', text: slow }], []);
    assert.throws(() => rules.scan(Buffer.from('x'), {}, 1000), ScanTimeout);
    rules.free();
    const numbers = engine.compile([{ namespace: 'n', text: 'rule r { condition: g == 1 }' }], ['g']);
    assert.throws(
      () => numbers.scan(Buffer.from('x'), { g: 'a text where a number is wanted' }, 1000),
      (error) => error instanceof Error && !(error instanceof ScanTimeout),
    );
    numbers.free();
  });
}
