import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { RulesetOutcome, RulesetText } from '../../../../server/contract/engine/yara.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { withCandidates } from '../../../../server/engine/yara/engines/candidate-engine.ts';
import { type EngineRules, ScanTimeout, type YaraEngine } from '../../../../server/engine/yara/engines/engine.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { fileSource, memorySource } from '../../../../server/vault/byte-source.ts';
import { costlyRule, ProcessorMeter } from '../../../fixtures/metered-engine.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const wasm = openWasmEngine();
const native = openNativeEngine();
const engines = [wasm, withCandidates(wasm), ...(native === null ? [] : [native])];
/** The workstation has WebAssembly scan candidates alone. */
const usedEngines = engines.slice(1);
/** The same on a meter that counts what rules say they cost, for a test that asks for it by `byMeter`. */
const meter = new ProcessorMeter();
const meteredEngines = [withCandidates(meter.of(wasm)), ...(native === null ? [] : [meter.of(native)])];
const byMeter = (t: TestContext) => void t.mock.method(process, 'threadCpuUsage', meter.usage);
const noReports = { androguard: null, cuckoo: null, droidbox: null };
const options = { reports: noReports, rulesetTimeout: 60_000, progress: () => undefined };

const ruleset = (id: string, rules: string): RulesetText => ({ id, rules });

for (const engine of engines) {
  const scan = (bytes: Uint8Array, ...rulesets: RulesetText[]) =>
    scanApk(memorySource(bytes), compileRulesets(engine, rulesets), options);
  const namesIn = (bytes: string, rules: string) =>
    scan(Buffer.from(bytes), ruleset('one', rules)).rulesets[0]!.rules_matched.map(({ name }) => name);

  describe(`the ${engine.name} engine`, () => {
    test('a match tells its tags, metadata and strings with place, length and data', () => {
      const rules = 'rule r : a b { meta: author = "x" level = 3 ok = true strings: $t = "ne\\x00dle" condition: $t }';
      const [outcome] = scan(Buffer.from('a ne\0dle'), ruleset('one', rules)).rulesets;
      assert.deepEqual(outcome, {
        id: 'one',
        status: 'done',
        errors: [],
        files_scanned: 1,
        matches_count: 1,
        rules_matched: [
          {
            name: 'r',
            tags: ['a', 'b'],
            metadata: { author: 'x', level: 3, ok: true },
            file: '',
            strings: [{ identifier: '$t', offset: 2, length: 6, data: 'ne\\x00dle' }],
            files_count: 1,
            strings_count: 1,
          },
        ],
        rules_measured: [],
      });
    });

    test('a rule that matches everywhere hides no other that matches in the last file alone', () => {
      const files = Array.from({ length: 80 }, (_, index) => ({ name: `f${index}`, content: `${index} a` }));
      const rules = `rule everywhere { condition: true }
        rule late { strings: $a = "79 a" $b = "a" condition: all of them and filesize < 5 }`;
      const [outcome] = scan(buildZip({ entries: files }), ruleset('one', rules)).rulesets;
      const { rules_matched: matched, matches_count: count } = outcome!;
      assert.deepEqual([matched.length, count], [21, 82]);
      const { name, file, strings, strings_count } = matched.at(-1)!;
      const places = strings.map(({ identifier, offset }) => `${identifier} ${offset}`);
      assert.deepEqual([name, file, places, strings_count], ['late', 'f79', ['$a 0', '$b 3'], 2]);
    });

    test('private rules count in conditions and stay out of the report', () => {
      assert.deepEqual(namesIn('x', 'private rule p { condition: filesize < 5 } rule q { condition: p }'), ['q']);
    });

    test('a call without a report is 0, negated it holds', () => {
      const rules = (condition: string) => `import "androguard" rule r { condition: ${condition} }`;
      assert.deepEqual(namesIn('x', rules('androguard.url(/x/)')), []);
      assert.deepEqual(namesIn('x', rules('not androguard.url(/x/)')), ['r']);
      assert.deepEqual(namesIn('x', rules('for all i in (1..3) : (androguard.min_sdk < i)')), ['r']);
    });

    test('a ruleset that does not compile says where, and stops no other; names may repeat between rulesets', () => {
      const { rulesets } = scan(
        Buffer.from('x'),
        ruleset('good', 'rule r { condition: true }'),
        ruleset('bad', 'rule r {\n condition: nothing }'),
        ruleset('too', 'global rule g { condition: filesize > 5 } rule r { condition: true }'),
      );
      assert.deepEqual(
        rulesets.map(({ id, status, rules_matched }) => [id, status, rules_matched.length]),
        [
          ['good', 'done', 1],
          ['bad', 'broken', 0],
          ['too', 'done', 0],
        ],
      );
      assert.deepEqual([rulesets[1]!.errors[0]!.line, rulesets[1]!.errors[0]!.column], [2, 13]);
    });

    test('errors stand where the author wrote them, behind calls that were replaced', () => {
      const { errors, rules } = checkRuleset(
        engine,
        'import "androguard"\nrule r { condition: androguard.url(/a very long\\/expression/) and filesize < 10 and wrong }',
      );
      const { line, column, end_line, end_column, title } = errors[0]!;
      assert.deepEqual([line, column, end_line, end_column], [2, 85, 2, 90]);
      assert.match(title, /unknown identifier `wrong`/);
      assert.deepEqual(
        rules.map(({ name }) => name),
        ['r'],
      );
    });

    test('slow rules are warned of, numbers that stand for calls are not', () => {
      const { warnings, errors } = checkRuleset(
        engine,
        'import "androguard"\nrule r { strings: $a = /a.*/ condition: $a and androguard.url("x") }',
      );
      assert.deepEqual(errors, []);
      assert.deepEqual(
        warnings.map(({ code, line }) => [code, line]),
        [['slow_pattern', 2]],
      );
    });

    test('a rule that matches everything is cut and says so', () => {
      const [outcome] = scan(
        Buffer.alloc(1000, 'a'),
        ruleset('one', 'rule r { strings: $a = "a" condition: $a }'),
      ).rulesets;
      assert.equal(outcome!.rules_matched[0]!.strings.length, 50);
      assert.equal(outcome!.rules_matched[0]!.strings_count, 1000);
    });

    test('a rule that counts further than places are told of tells as many as another', () => {
      const rules = `private rule p { strings: $a = "a" condition: #a > 10000 } // counts too
        global rule g { strings: $a = "aa" condition: #a > 10000 }
        rule few { strings: $a = "ab" condition: #a == 1 and p }
        rule r { strings: $a = "a" $b = "b" condition: p and few and (#a == 19999 or #b > 5000) /* } */}
        rule no { strings: $a = "a" condition: #a > 20000 }`;
      const [outcome] = scan(Buffer.from(`${'a'.repeat(19_999)}b`), ruleset('one', rules)).rulesets;
      assert.deepEqual(
        outcome!.rules_matched.map(({ name, strings, strings_count: count }) => [name, strings.length, count]),
        [
          ['g', 50, 2000],
          ['few', 1, 1],
          ['r', 50, 2001],
        ],
      );
    });
  });
}

test('every file inside an APK is scanned unpacked, and all engines find the same', () => {
  const rules =
    'rule dex { strings: $a = "dex\\n03" condition: $a at 0 } rule zip { condition: uint32(0) == 0x04034b50 }';
  const [first, ...others] = engines.map((engine) => {
    const source = fileSource(realApks.unlock);
    const { rulesets } = scanApk(source, compileRulesets(engine, [ruleset('one', rules)]), options);
    source.close();
    return rulesets;
  });
  assert.deepEqual(
    first![0]!.rules_matched.map(({ name, file }) => [name, file]),
    [
      ['zip', ''],
      ['dex', 'classes.dex'],
    ],
  );
  for (const other of others) assert.deepEqual(other, first);
});

test('the time of each rule is taken where it is asked for, private ones left out', () => {
  const rules =
    'private rule p { strings: $a = "x" condition: $a } rule fast { condition: p } rule slow { condition: for all i in (0..300000) : (uint8(i) != 1 or i > 1) }';
  for (const engine of engines) {
    const { rulesets, timings } = scanApk(
      memorySource(Buffer.from('x')),
      compileRulesets(engine, [ruleset('one', rules)]),
      {
        ...options,
        measuresRules: true,
      },
    );
    const [outcome] = rulesets;
    const times = new Map(outcome!.rules_measured.map(({ name, milliseconds }) => [name, milliseconds]));
    assert.deepEqual([...times.keys()], ['fast', 'slow']);
    assert.ok(times.get('slow')! > 0);
    assert.ok(timings.measuring! <= timings.yara!);
  }
});

/** The same engine, which notes what was compiled that a scan ended as too long. */
function noting(engine: YaraEngine, late: Set<EngineRules>): YaraEngine {
  const compile: YaraEngine['compile'] = (...words) => {
    const rules = engine.compile(...words);
    const noted: EngineRules = {
      serialize: () => rules.serialize(),
      free: () => rules.free(),
      scan: (...scanned) => {
        try {
          return rules.scan(...scanned);
        } catch (error) {
          late.add(noted);
          throw error;
        }
      },
    };
    return noted;
  };
  return new Proxy(engine, {
    get(target, name) {
      const value = name === 'compile' ? compile : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a rule by itself that takes too long costs its limit once, and shows it as its time', (t) => {
  byMeter(t);
  const slow = costlyRule('s', 5_000, 'filesize == 3');
  for (const engine of meteredEngines) {
    const late = new Set<EngineRules>();
    const collection = compileRulesets(noting(engine, late), [ruleset('one', slow)]);
    const awaited = { ...options, rulesetTimeout: 200, isAwaited: true, measuresRules: true };
    const { rulesets, timings } = scanApk(memorySource(Buffer.from('xyz')), collection, awaited);
    const [{ status, rules_measured: measured }] = rulesets as [RulesetOutcome];
    assert.equal(status, 'timeout');
    assert.equal(late.size, 1);
    assert.deepEqual([measured[0]!.milliseconds, timings.yara], [200, 200]);
  }
});

/** Loops that last for days: of the rule alone, with calls into the engine, with searches. */
const endless = {
  'a loop': 'rule s { condition: for all i in (0..100000000000) : (i != filesize + 1000000000000) }',
  'a loop that reads bytes': 'rule s { condition: for all i in (0..100000000000) : (uint8(i % 3) != 1) }',
  'a loop that calls a module': `import "math" rule s {
    condition: for all i in (0..100000000000) : (math.entropy(0, filesize) != i + 100)
  }`,
  'a loop over strings': `rule s {
    strings: $a = "x" $b = "y"
    condition: for all i in (0..1000000000) : (for any of them : ($ at i % 2 or # > i))
  }`,
};

for (const engine of usedEngines) {
  for (const [name, slow] of Object.entries(endless)) {
    test(`${name} that takes too long is ended by the ${engine.name} engine and stops no other ruleset`, () => {
      const { rulesets, findings } = scanApk(
        memorySource(Buffer.from('xyz')),
        compileRulesets(engine, [
          ruleset('slow', slow),
          ruleset('fast', 'rule f { strings: $a = "yz" condition: filesize == 3 and $a }'),
        ]),
        { ...options, rulesetTimeout: 200 },
      );
      assert.deepEqual(
        rulesets.map(({ status, matches_count }) => [status, matches_count]),
        [
          ['timeout', 0],
          ['done', 1],
        ],
      );
      assert.equal(findings[0]!.code, 'analysis-incomplete');
    });
  }
}

for (const engine of meteredEngines) {
  test(`a slow ruleset is found soon among many by the ${engine.name} engine`, (t) => {
    byMeter(t);
    const fast = Array.from({ length: 70 }, (_, index) =>
      ruleset(`fast ${index}`, `rule f${index} { condition: true }`),
    );
    const late = new Set<EngineRules>();
    const { rulesets } = scanApk(
      memorySource(Buffer.from('x')),
      compileRulesets(noting(engine, late), [
        ...fast.slice(0, 30),
        ruleset('slow', costlyRule('s', 5_000, 'filesize == 1')),
        ...fast.slice(30),
      ]),
      { ...options, rulesetTimeout: 1_000 },
    );
    assert.deepEqual(
      [...new Set(rulesets.map(({ id, status }) => (id === 'slow' ? `slow ${status}` : status)))],
      ['done', 'slow timeout'],
    );
    assert.ok(rulesets.every(({ matches_count: count }, index) => count === (index === 30 ? 0 : 1)));
    // All together, two parts in between and the slow one alone.
    assert.equal(late.size, 4);
  });
}

test('no second of the native engine that ends during a short scan makes it too long', {
  skip: native === null,
}, () => {
  const rules = 'rule r { condition: for all i in (0..12000000) : (i != 1000000000000) }';
  const collection = compileRulesets(native!, [ruleset('one', rules)]);
  const end = performance.now() + 1_500;
  while (performance.now() < end) {
    const [outcome] = scanApk(memorySource(Buffer.from('a')), collection, { ...options, rulesetTimeout: 900 }).rulesets;
    assert.deepEqual([outcome!.status, outcome!.matches_count], ['done', 1]);
  }
});

test('what an engine takes for every file, however small, is charged to no ruleset', (t) => {
  byMeter(t);
  const rules = 'rule e { strings: $a = "abc" condition: $a at 0 }';
  const entry = 10;
  const files = Array.from({ length: 80 }, (_, index) => ({ name: `assets/${index}`, content: 'abc' }));
  const statuses = [0, entry].map((scanTime) => {
    const collection = compileRulesets({ ...meter.of(wasm, entry), scanTime }, [ruleset('one', rules)]);
    const limited = { ...options, rulesetTimeout: 20 * entry };
    return scanApk(memorySource(buildZip({ entries: files })), collection, limited).rulesets[0]!.status;
  });
  assert.deepEqual(statuses, ['timeout', 'done']);
});

for (const engine of meteredEngines) {
  test(`a ruleset that is slow with every file is ended by the ${engine.name} engine past its time for all of them`, (t) => {
    byMeter(t);
    const count = 48;
    // A file takes a quarter of the ruleset's time, all of them much longer than they may.
    const rulesetTimeout = 200;
    const slow = costlyRule('s', rulesetTimeout / 4, 'filesize == 3');
    const files = Array.from({ length: count }, (_, index) => ({ name: `assets/${index}`, content: 'abc' }));
    const fast = Array.from({ length: 8 }, (_, index) =>
      ruleset(`fast ${index}`, `rule f${index} { strings: $a = "abc" condition: filesize == 3 and $a at 0 }`),
    );
    const { rulesets, findings } = scanApk(
      memorySource(buildZip({ entries: files })),
      compileRulesets(engine, [...fast.slice(0, 5), ruleset('slow', slow), ...fast.slice(5)]),
      { ...options, rulesetTimeout },
    );
    assert.deepEqual(
      rulesets.map(({ id, status, matches_count }) => [id, status, matches_count]).filter(([id]) => id !== 'slow'),
      fast.map(({ id }) => [id, 'done', count]),
    );
    const outcome = rulesets.find(({ id }) => id === 'slow')!;
    assert.equal(outcome.status, 'timeout');
    assert.ok(outcome.matches_count > 0 && outcome.matches_count < count, `${outcome.matches_count} matches`);
    assert.match(findings[0]!.evidence, /for all files/);
  });
}

test('an engine whose scans were often interrupted goes on as a new one does', () => {
  const slow = wasm.compile([{ namespace: 'n', text: endless['a loop that calls a module'] }], []);
  const rules = wasm.compile([{ namespace: 'n', text: 'rule f { strings: $a = "abc" condition: #a == 2 }' }], []);
  const bytes = Buffer.from('abcabc');
  const noValues = {};
  for (let round = 0; round < 8; round++) {
    assert.throws(() => slow.scan(bytes, noValues, 1), ScanTimeout);
    assert.deepEqual(
      rules.scan(bytes, noValues, 5_000).map(({ rule }) => rule),
      ['f'],
    );
  }
  slow.free();
  rules.free();
});

test('a regular expression that backtracks without end over a report is reported for its ruleset, and stops no other', () => {
  const engine = native ?? wasm;
  const hangs = 'import "androguard" rule hangs { condition: androguard.url(/((x{1,100}){1,100})y/) }';
  const counts = 'import "androguard" rule counts { condition: androguard.url(/^x{3,900}/) }';
  const { rulesets, findings } = scanApk(
    memorySource(Buffer.from('any')),
    compileRulesets(engine, [ruleset('slow', hangs), ruleset('fine', counts)]),
    { ...options, reports: { ...noReports, androguard: { urls: ['x'.repeat(60_000)] } as never } },
  );
  assert.deepEqual(
    rulesets.map(({ id, status, matches_count }) => [id, status, matches_count]),
    [
      ['slow', 'timeout', 0],
      ['fine', 'done', 1],
    ],
  );
  assert.match(findings[0]!.evidence, /regular expression/);
});
