// Code that is built to make a survey take for ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { openDex } from '../../../../server/engine/formats/dex/dex.ts';
import { appClasses } from '../../../../server/engine/static/code-origins.ts';
import { surveyCode } from '../../../../server/engine/static/dex-survey.ts';
import { buildDex, type Pool } from '../../../fixtures/dex-builder.ts';

const count = 20_000;

test('calls of inherited methods through a class with many methods are resolved in linear time', () => {
  const bulky = Array.from({ length: count }, (_, index) => ({
    name: `n${index}`,
    descriptor: '()V',
    isVirtual: true,
  }));
  const owner = 'Lcom/example/Bulky;';
  const calls = (pool: Pool) =>
    Array.from({ length: count / 4 }, (_, index) => [
      0x006e,
      pool.method(owner, 'registerReceiver', `(Lcom/example/P${index};)V`),
      0,
    ]).flat();
  const classes = [
    { descriptor: owner, superclass: 'Landroid/app/Activity;', methods: bulky },
    {
      descriptor: 'Lcom/example/Caller;',
      superclass: 'Ljava/lang/Object;',
      methods: [{ name: 'run', descriptor: '()V', code: { units: (pool: Pool) => [...calls(pool), 0x000e] } }],
    },
  ];
  const findings = new Findings();
  const dex = openDex(buildDex({ classes }), findings, 'classes.dex');
  const start = process.cpuUsage();
  const { functionalities } = surveyCode(appClasses([dex], 'com.example'), findings);
  const { user, system } = process.cpuUsage(start);
  assert.equal(functionalities.dynamicbroadcastreceiver?.length, count / 4);
  assert.ok(user + system < 2_000_000, `${user + system} microseconds`);
});

test('long names and constants that thousands of instructions refer to make no report of gigabytes', () => {
  const letters = 'x'.repeat(50_000);
  const call = (pool: Pool) =>
    pool.method('Landroid/telephony/TelephonyManager;', 'getDeviceId', '()Ljava/lang/String;');
  const units = (pool: Pool) => {
    const [device, constant] = [call(pool), pool.string(`https${letters}`)];
    return [...Array.from({ length: count }, () => [0x006e, device, 0, 0x001a, constant]).flat(), 0x000e];
  };
  const method = { name: letters, descriptor: '()V', code: { units } };
  const findings = new Findings();
  const classes = [{ descriptor: `L${letters};`, superclass: 'Ljava/lang/Object;', methods: [method] }];
  const dex = openDex(buildDex({ classes }), findings, 'classes.dex');
  const start = process.cpuUsage();
  const { functionalities } = surveyCode(appClasses([dex], 'com.example'), findings);
  const { user, system } = process.cpuUsage(start);
  const cut = findings.list().filter(({ code }) => code === 'report-cut');
  assert.deepEqual(cut.map(({ where }) => where).toSorted(), ['functionalities imei', 'functionalities ssl']);
  assert.ok(functionalities.imei!.length > 1000 && functionalities.ssl!.length > 1000);
  assert.ok(functionalities.ssl![0]!.code.length > 4000);
  assert.ok(JSON.stringify(functionalities).length < 32_000_000);
  assert.ok(user + system < 2_000_000, `${user + system} microseconds`);
});
