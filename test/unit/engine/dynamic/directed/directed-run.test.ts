import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { solvableApk } from '../../../../fixtures/dynamic/directed/solvable.ts';

const { dynamic: report } = analyzeDynamic(memorySource(solvableApk()));
const calls = report.coverage.sensitive_calls!;
/** By the name of the method, the state of its calls, and what the app had to be told. */
const told = Object.fromEntries(
  calls.map(({ method, values, state, inputs = [] }) => [
    values[0]?.arguments[0],
    `${method.replace(/.*;->|\(.*/g, '')} ${state}: ${inputs
      .map(({ source, value }) => `${source.replace(/^android\.(?:content|os)\.|java\.\w+\./, '')} = ${value}`)
      .join(', ')}`,
  ]),
);

test('calls behind a check are made once the app is told what it asks for, and the report says what', () => {
  const solved = Object.fromEntries(Object.entries(told).filter(([number]) => Number(number) < 19));
  assert.deepEqual(solved, {
    0: 'formed solved: Intent.getStringExtra("form") = AAA-1/end',
    1: 'extra solved: Intent.getStringExtra("word") = open sesame',
    2: 'number solved: Intent.getIntExtra("port") = 4445',
    3: 'preference solved: SharedPreferences.getBoolean("armed") = true',
    4: 'flags solved: File.exists of /sdcard/magic.flag = true',
    5: 'model solved: Build.MODEL = Nexus 9',
    6: 'version solved: Build$VERSION.SDK_INT = 18',
    7: 'date solved: System.currentTimeMillis() = 4102444800001',
    8: 'encoded solved: Intent.getStringExtra("sealed") = Z28gb24=',
    9: 'crossed solved: Intent.getStringExtra("crossed") = fssfdl',
    10: 'turned solved: Intent.getStringExtra("turned") = nigeB',
    11: 'chosen solved: Intent.getStringExtra("command") = steal',
    12: 'chosen solved: Intent.getStringExtra("command") = wait',
    13: 'numbered solved: Intent.getIntExtra("order") = 41',
    14: 'numbered solved: Intent.getIntExtra("order") = 97',
    15: told[15],
    16: 'language solved: Locale.getLanguage() = tlh',
    17: 'contained solved: Intent.getStringExtra("list") = ;now;',
    18: 'twice solved: Intent.getStringExtra("one") = first, Intent.getIntExtra("two") = 222, Intent.getStringExtra("three") = .cmd',
  });
  assert.deepEqual(
    [25, 26, 27].map((number) => told[number]?.replace('lambda$answered$0 solved: ', '')),
    [
      'javax.net.ssl.HttpsURLConnectionImpl.getResponseCode() = 418',
      'org.json.JSONObject.getInt("level") = 71',
      'org.json.JSONObject.getString("command") = wipe all',
    ],
  );
  const length = /^longer solved: Intent\.getStringExtra\("code"\) = (.*)$/.exec(told[15]!);
  assert.equal(length?.[1]?.length, 12);
});

test('what nothing decides that is told is forced: the app computes the arguments, missing objects are made up', () => {
  assert.match(told[19]!, /^tell forced: $/);
  const [key] = calls.filter(({ values }) => values[0]?.arguments[0] === '19');
  assert.deepEqual(key!.values, [{ arguments: ['19', 'null', 'secret', 'null', 'null'] }]);
  assert.match(
    key!.reason,
    /^branch: b\.Solvable\$Forced\.onReceive\+0x18 depends on what java\.util\.Random\.nextDouble/,
  );
  assert.match(told[20]!, /^tell forced: $/);
});

test('nothing that the app was led to is an event, a leak or a finding of its own', () => {
  assert.deepEqual([report.sendsms, report.dataleaks, report.findings], [[], [], []]);
});

test('calls that nobody makes are made at last, and what their parameters lacked is said to be made up', () => {
  const forced = calls
    .filter(({ values }) => [21, 22, 23].includes(Number(values[0]?.arguments[0])))
    .map(({ state, values, reason }) => [state, values[0]!.arguments[2], values[0]!.made_up, reason.split(':')[0]]);
  assert.deepEqual(forced, [
    ['forced', 'from afar', undefined, 'entry'],
    ['forced', 'broken', undefined, 'exception'],
    ['forced', 'nobody made up', [2], 'dead'],
  ]);
});
