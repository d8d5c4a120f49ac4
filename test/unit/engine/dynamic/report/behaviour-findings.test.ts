import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DynamicReport, emptyDynamicLists } from '../../../../../server/contract/engine/reports.ts';
import { behaviourFindings } from '../../../../../server/engine/dynamic/report/behaviour-findings.ts';
import { contactedPeers } from '../../../../../server/engine/dynamic/report/contacted-peers.ts';

const observed = { pid: 1, tid: 1, processname: 'a', time: 0 };
const found = (lists: Partial<DynamicReport>) =>
  behaviourFindings({ ...emptyDynamicLists(), engine: {}, ...lists } as DynamicReport).map(
    ({ code, severity, where, evidence }) => `${severity} ${code} ${where} ${evidence}`,
  );

const leak = (target: string, tags: string[]) => ({
  ...{ sink: 'URLConnection', kind: 'network', target, tags, implicit: false, count: 1 },
  path: ['EditText.getText', 'com.a.Login.send', 'URLConnection'],
  ...observed,
});
const sent = (desthost: string, destport: number, encrypted: boolean | undefined, data = 'user=a') => ({
  ...{ desthost, destport, data, dataleak: ['TAINT_PASSWORD'], ...(encrypted === undefined ? {} : { encrypted }) },
  ...observed,
});

test('however often the same data go to the same place, it is one flow, with its count', () => {
  const equal = (target: string) => Array.from({ length: 700 }, () => leak(target, ['TAINT_PASSWORD']));
  const flows = found({
    dataleaks: [...equal('10.0.2.2:8888'), ...equal('login.example:443'), leak('10.0.2.2:8888', ['TAINT_PASSWORD'])],
    sendnet: [sent('10.0.2.2', 8888, false), sent('login.example', 443, true)],
  }).filter((line) => line.includes('password'));
  assert.deepEqual(flows, [
    'high behaviour-password-unencrypted Lcom/a/Login;->send sends the password unencrypted to 10.0.2.2:8888, 701 times',
    'info behaviour-sends-password Lcom/a/Login;->send sends the password to login.example:443, 700 times',
  ]);
});

test('whether a connection was encrypted is told by the run, and by its port where a report does not say', () => {
  const peers = (...list: ReturnType<typeof sent>[]) =>
    found({ sendnet: list }).map((line) => /to (\S+):/.exec(line)?.[1]);
  assert.deepEqual(
    peers(sent('a', 443, false), sent('b', 80, true), sent('c', 443, undefined), sent('d', 80, undefined)),
    [...['a:443', 'd:80']],
  );
});

test('a password that is stored as it was typed is told from one that was hashed before', () => {
  const written = (name: string, data: string) => ({ name, data, dataleak: ['TAINT_PASSWORD'], ...observed });
  const stored = found({
    fileswritten: [
      written('/data/data/a/shared_prefs/a.xml', '<string name="p">Sommer!2019</string>'),
      written('/data/data/a/files/hash', 'c0ffee'),
    ],
  });
  assert.deepEqual(stored, [
    'medium behaviour-stores-password dynamic:files stores the password as it is in /data/data/a/shared_prefs/a.xml',
  ]);
});

test('data that only decide whether something is sent are a weak leak, and many destinations are one finding', () => {
  const implicit = { ...leak('a.example:443', ['TAINT_IMEI']), implicit: true };
  assert.match(found({ dataleaks: [implicit] })[0]!, /^info behaviour-sends-identity .*only whether it happens/);
  const many = Array.from({ length: 30 }, (_, index) => leak(`${index}.example:443`, ['TAINT_CONTACTS']));
  const told = found({ dataleaks: many });
  assert.equal(told.length, 11);
  assert.match(told.at(-1)!, /sends the contacts to 20 other places, as 10\.example:443, 20 times$/);
});

test('a message to a number that the owner typed is wanted, one to a short number costs money, and only root commands are severe', () => {
  const message = (number: string) => ({ number, message: 'x', ...observed });
  assert.deepEqual(
    found({ sendsms: [message('+491729968532'), message('7132'), message('+49301')] }).map(
      (line) => line.split(' ')[0],
    ),
    ['low', 'high', 'medium'],
  );
  const command = (text: string) => ({ command: text, ...observed });
  assert.deepEqual(found({ commands: [command('getprop ro.x'), command('su -c reboot'), command('su -c reboot')] }), [
    'low behaviour-command dynamic:code runs getprop ro.x',
    'high behaviour-root-command dynamic:code runs su -c reboot, 2 times',
  ]);
});

test('whom the app spoke to becomes indicators, each once; an address that a look-up was answered with is none', () => {
  const event = (category: string, summary: string) => ({ time: 1, component: '', category, summary });
  const report = {
    ...emptyDynamicLists(),
    dns: [{ hostname: 'gate.example', ip: '93.184.216.34', ...observed }],
    opennet: [{ desthost: 'gate.example', destport: 443, ...observed }],
    sendnet: [sent('10.0.2.2', 8888, false), sent('2001:db8::1', 80, false), sent('10.0.2.2', 8888, false)],
    timeline: [event('network', 'GET http://gate.example/in?id=1'), event('files', 'http://not.asked/ written')],
  } as unknown as DynamicReport;
  const { urls, domains, ips } = contactedPeers(report);
  const values = [urls, domains, ips].map((list) => list.map(({ value }) => value));
  assert.deepEqual(values, [['http://gate.example/in?id=1'], ['gate.example'], ['10.0.2.2', '2001:db8::1']]);
  assert.deepEqual(domains[0]!.where, ['dynamic:network']);
});
