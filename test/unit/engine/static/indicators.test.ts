import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { IndicatorCollector } from '../../../../server/engine/static/indicators.ts';

function found(...constants: string[]) {
  const collector = new IndicatorCollector(new Findings());
  for (const text of constants) collector.addConstant(text, ['classes.dex']);
  const { urls, domains, ips, emails } = collector.list();
  const values = (list: { value: string }[]) => list.map(({ value }) => value);
  return { urls: values(urls), domains: values(domains), ips: values(ips), emails: values(emails) };
}
const nothing = { urls: [], domains: [], ips: [], emails: [] };

test('a URL is taken as it stands, with the host it names', () => {
  const { urls, domains, ips } = found(
    'http://111.13.91.31:12000/feecenter/api/create_order',
    'https://c2.example.com/x?y=1#z',
  );
  assert.deepEqual(urls, ['http://111.13.91.31:12000/feecenter/api/create_order', 'https://c2.example.com/x?y=1#z']);
  assert.deepEqual(ips, ['111.13.91.31']);
  assert.deepEqual(domains, ['c2.example.com']);
});

test('a URL with a placeholder for its host is kept, and names no host', () => {
  assert.deepEqual(found('http://&domain/function/ping.jsp'), {
    ...nothing,
    urls: ['http://&domain/function/ping.jsp'],
  });
});

test('names of XML namespaces are URLs of the code, but indicate nothing', () => {
  const names = [
    'http://schemas.android.com/apk/res/android',
    'http://www.w3.org/2001/XMLSchema',
    'http://xmlpull.org/v1/doc/features.html#process-namespaces',
  ];
  assert.deepEqual(found(...names), nothing);
  const collector = new IndicatorCollector(new Findings());
  for (const name of names) collector.addConstant(name, ['classes.dex']);
  assert.deepEqual(collector.urls(), names);
  assert.deepEqual(found('http://www.w3.org.evil.example.com/2001/').domains, ['www.w3.org.evil.example.com']);
});

test('a flood of URLs is cut with one finding', () => {
  const findings = new Findings();
  const collector = new IndicatorCollector(findings);
  for (let index = 0; index < 4000; index++) collector.addConstant(`http://h.example.com/${index}`, ['classes.dex']);
  assert.equal(collector.urls().length, 3000);
  assert.deepEqual(
    findings.list().map(({ code, where }) => [code, where]),
    [['report-cut', 'indicators urls']],
  );
});

test('URLs are cut out of the sentence around them', () => {
  const { urls } = found('See https://example.com/a(b), or "http://example.org/c". <a href=\'ws://example.net/d\'>');
  assert.deepEqual(urls, ['https://example.com/a(b)', 'http://example.org/c', 'ws://example.net/d']);
});

test('a scheme alone, an unknown scheme and a path are no URLs', () => {
  assert.deepEqual(found('http://', 'content://sms/inbox', 'file:///sdcard/x', 'a://b', '://'), nothing);
});

test('a user, a port and an IPv6 address in a URL are told apart', () => {
  const { domains, ips, emails } = found('ftp://user:secret@files.example.com:21/x', 'http://[2001:db8::1]:8080/');
  assert.deepEqual(domains, ['files.example.com']);
  assert.deepEqual(ips, ['2001:db8::1']);
  assert.deepEqual(emails, []);
});

test('class names, package names, file names and properties are no hosts', () => {
  const names = [
    'com.android.foo',
    'com.example.app',
    'android.app',
    'org.apache.http.client',
    'java.net',
    'libfoo.so',
    'readme.md',
    'classes.zip',
    'script.sh',
    'R.id',
    'view.id',
    'ro.build.id',
    'user.country',
    'persist.sys.name',
    'Foo.Bar.com',
    'io.appium.settings.info',
    'MainActivity.java',
    'this.name',
    'a.b',
    '%s.%s.com',
  ];
  for (const name of names) assert.deepEqual(found(name), nothing, name);
});

test('hosts that stand alone are found, with and without port and path', () => {
  const hosts = ['api.evil-host.com', 'update.badsite.top', 'c2server.ru', 'www.example.co.uk', 'cdn.x1.example.xyz'];
  assert.deepEqual(found(...hosts).domains, hosts);
  assert.deepEqual(found('gate.example.net:8443', 'panel.example.org/gate.php').domains, [
    'gate.example.net',
    'panel.example.org',
  ]);
});

test('versions, masks and object identifiers are no addresses', () => {
  for (const text of [
    '1.2.3.4',
    '2.0.0.1',
    '4.1.2.15',
    '255.255.255.0',
    '0.0.0.0',
    '1.2.840.113549',
    '1.2.3',
    '01.2.3.4',
    '300.1.1.1',
  ]) {
    assert.deepEqual(found(text).ips, [], text);
  }
});

test('addresses that stand alone are found, unlikely ones with a port', () => {
  assert.deepEqual(found('8.8.8.8', '192.168.1.17', '45.77.10.2', '10.0.2.2', '127.0.0.1', '1.2.3.4:8080').ips, [
    '8.8.8.8',
    '192.168.1.17',
    '45.77.10.2',
    '10.0.2.2',
    '127.0.0.1',
    '1.2.3.4',
  ]);
});

test('e-mail addresses are found, annotations and file names are not', () => {
  assert.deepEqual(found('write to thief@mail.example.com.', 'a.b+c@example.org').emails, [
    'thief@mail.example.com',
    'a.b+c@example.org',
  ]);
  assert.deepEqual(found('@com.example.Foo', 'icon@2x.png', 'java.lang.Object@1f2e3d', 'x@localhost').emails, []);
});

test('the same value is listed once, with each of its places', () => {
  const collector = new IndicatorCollector(new Findings());
  collector.addConstant('http://example.com/', ['La;->b()V']);
  collector.addBytes(Buffer.from('\0\x01http://example.com/\0http://example.net/x\n'), ['lib/x86/liba.so']);
  assert.deepEqual(collector.list().urls, [
    { value: 'http://example.com/', where: ['La;->b()V', 'lib/x86/liba.so'] },
    { value: 'http://example.net/x', where: ['lib/x86/liba.so'] },
  ]);
});

test('places of long names are cut, and past megabytes of them each value keeps one', () => {
  const indicators = new IndicatorCollector(new Findings());
  const files = Array.from({ length: 10 }, (_, index) => `assets/${index}${'x'.repeat(60_000)}`);
  const addresses = Array.from({ length: 3000 }, (_, index) => `u${index}@example.com`);
  indicators.addDocument(addresses.join(' '), files);
  const places = indicators.list().emails.map(({ where }) => where);
  assert.equal(places[0]![0], `${files[0]!.slice(0, 400)}…`);
  assert.deepEqual([places[0]!.length, places.at(-1)!.length], [10, 1]);
});

test('ten thousand URLs are cut with a finding, and a megabyte of colons takes no time', () => {
  const findings = new Findings();
  const collector = new IndicatorCollector(findings);
  for (let index = 0; index < 10_000; index++) collector.addConstant(`http://example.com/${index}`, ['x']);
  assert.equal(collector.list().urls.length, 3000);
  assert.ok(findings.has('report-cut'));
  const start = process.cpuUsage();
  collector.addDocument('://'.repeat(350_000), ['x']);
  collector.addDocument('a@'.repeat(500_000), ['x']);
  collector.addBytes(Buffer.from('http://a.b@'.repeat(2_000_000)), ['x']);
  assert.ok(process.cpuUsage(start).user < 3_000_000);
});
