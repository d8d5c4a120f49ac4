import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AndroguardReport, CuckooReport } from '../../../../../server/contract/engine/reports.ts';
import {
  callEvaluator,
  callProblem,
  type ModuleReports,
} from '../../../../../server/engine/yara/modules/module-functions.ts';
import { rewriteRules } from '../../../../../server/engine/yara/rewriting/rewriting.ts';

const androguard = {
  package_name: 'com.Example.app',
  app_name: 'Ünïcode',
  min_sdk_version: 9,
  max_sdk_version: null,
  version_code: '12',
  permissions: ['android.permission.SEND_SMS'],
  new_permissions: ['com.example.OWN'],
  urls: ['http://evil.example/a.php'],
  activities: ['a', 'b'],
  certificate: { sha1: '8EFC8E32180CCB4DBF08B5AFDFB5AED873CF21EC', issuerDN: '/C=y/CN=Debug' },
  functionalities: {
    SMS: [{ class: 'Lcom/a/B;', method: 'send', code: 'invoke-virtual v0, Lx;->sendTextMessage()V' }],
  },
} as unknown as AndroguardReport;
const cuckoo = {
  target: { file: { md5: 'ef7257402aabdf5a46f1b0219cb0f08e', size: 1962643 } },
  network: {
    http: [
      { uri: 'http://a.example/x', method: 'GET', 'user-agent': 'Dalvik/1.6.0' },
      { uri: 'http://b.example/x', method: 'HEAD', 'user-agent': 'okhttp/3.1' },
    ],
    dns: [{ request: 'sdk.wiipay.example' }],
    tcp: [{ dst: '10.0.0.1', dport: 443 }],
  },
} as unknown as CuckooReport;
const droidbox = {
  sendsms: [{ number: '12345', message: 'hi' }],
  fileswritten: [
    { name: '/data/x.xml', data: 'map' },
    { name: '/data/x.dex', data: '6465780a30333500' },
  ],
};
const reports: ModuleReports = { androguard, cuckoo, droidbox };
const none: ModuleReports = { androguard: null, cuckoo: null, droidbox: null };

function resultOf(expression: string, known = reports): number {
  const imports = ['androguard', 'cuckoo', 'droidbox', 'file'].map((name) => `import "${name}"`).join('\n');
  const { calls, problems } = rewriteRules(`${imports}\nrule r { condition: ${expression} }`);
  assert.deepEqual(problems, []);
  assert.equal(calls.size, 1);
  const [name, call] = [...calls][0]!;
  return callEvaluator(known)(name, call);
}

describe('functions of the original modules', () => {
  test('a text matches whole and in any case, a regular expression in part and as its flags say', () => {
    assert.equal(resultOf('androguard.package_name("COM.example.APP")'), 1);
    assert.equal(resultOf('androguard.package_name("com.example")'), 0);
    assert.equal(resultOf('androguard.package_name(/example/)'), 0);
    assert.equal(resultOf('androguard.package_name(/example/i)'), 1);
    assert.equal(resultOf('androguard.app_name(/n.+code$/)'), 1);
  });

  test('each function looks in its own part of the reports', () => {
    assert.equal(resultOf('androguard.permission(/OWN/)'), 1);
    assert.equal(resultOf('androguard.url(/evil\\.example\\/a{0,1}/)'), 1);
    assert.equal(
      resultOf('androguard.certificate.sha1("8e:fc:8e:32:18:0c:cb:4d:bf:08:b5:af:df:b5:ae:d8:73:cf:21:ec")'),
      1,
    );
    assert.equal(resultOf('androguard.certificate.issuer(/CN=Debug/)'), 1);
    assert.equal(resultOf('androguard.functionality.sms.code(/sendTextMessage/)'), 1);
    assert.equal(resultOf('androguard.functionality.mms.code(/sendTextMessage/)'), 0);
    assert.equal(resultOf('file.md5("EF7257402AABDF5A46F1B0219CB0F08E")'), 1);
    assert.equal(resultOf('file.size'), 1962643);
    assert.equal(resultOf('cuckoo.network.http_get(/a\\.example/)'), 1);
    assert.equal(resultOf('cuckoo.network.http_post(/a\\.example/)'), 0);
    assert.equal(resultOf('cuckoo.network.http_user_agent(/Dalvik/)'), 1);
    assert.equal(resultOf('cuckoo.network.dns_lookup(/wiipay/)'), 1);
    assert.equal(resultOf('cuckoo.network.tcp(/10\\.0/, 443)'), 1);
    assert.equal(resultOf('cuckoo.network.tcp(/10\\.0/, 80)'), 0);
    assert.equal(resultOf('droidbox.sendsms("12345")'), 1);
    assert.equal(resultOf('droidbox.sendsms(/hi/)'), 0);
    assert.equal(resultOf('droidbox.written.filename(/\\.xml$/)'), 1);
  });

  test('an HTTP request is one that gets or posts, as in the module of YARA', () => {
    assert.equal(resultOf('cuckoo.network.http_request(/a\\.example/)'), 1);
    assert.equal(resultOf('cuckoo.network.http_request(/b\\.example/)'), 0);
    assert.equal(resultOf('cuckoo.network.http_user_agent(/okhttp/)'), 1);
  });

  test('bytes that were written are found by their hex digits in either case, text as it is', () => {
    assert.equal(resultOf('droidbox.written.data(/6465780A303335/)'), 1);
    assert.equal(resultOf('droidbox.written.data(/^6465780a/)'), 1);
    assert.equal(resultOf('droidbox.written.data("6465780A30333500")'), 1);
    assert.equal(resultOf('droidbox.written.data(/MAP/)'), 0);
  });

  /** Each with what `yara -x cuckoo=report.json` of YARA 4.2.3 says of `cuckoo.network.host(…)` where `abc` is the host. */
  const emptyMatches = [
    ['/^/', 0],
    ['/$/', 0],
    ['/^x*/', 0],
    ['/^a??/', 0],
    ['/^a?/', 1],
    ['/x*/', 1],
    ['/\\B/', 1],
    ['/abc$/', 1],
    ['/\\babc/', 1],
    ['/abc\\B/', 0],
  ] as const;

  test('a match of nothing counts as it does in YARA, and both ends of a text are edges of words', () => {
    const known = { ...reports, androguard: { ...androguard, app_name: 'abc' } };
    for (const [regexp, expected] of emptyMatches) {
      assert.equal(resultOf(`androguard.app_name(${regexp})`, known), expected, regexp);
    }
    const edges = { ...reports, androguard: { ...androguard, app_name: '-abc-' } };
    assert.equal(resultOf('androguard.app_name(/\\b-abc-\\b/)', edges), 1);
    assert.equal(resultOf('androguard.app_name(/\\B-|-\\B/)', edges), 0);
    assert.equal(resultOf('androguard.app_name(/.*/)', { ...reports, androguard: { ...androguard, app_name: '' } }), 0);
  });

  test('numbers are what the report says', () => {
    assert.equal(resultOf('androguard.min_sdk'), 9);
    assert.equal(resultOf('androguard.max_sdk'), 0);
    assert.equal(resultOf('androguard.number_of_activities'), 2);
    assert.equal(resultOf('androguard.number_of_permissions'), 1);
    assert.equal(resultOf('androguard.permissions_number'), 2);
    assert.equal(resultOf('androguard.version_code("12")'), 1);
  });

  test('a number that an older report has as a text is that number, and one that is none is 0', () => {
    const withSdk = (min_sdk_version: unknown) => ({ ...reports, androguard: { ...androguard, min_sdk_version } });
    assert.equal(resultOf('androguard.min_sdk', withSdk('7') as ModuleReports), 7);
    assert.equal(resultOf('androguard.min_sdk', withSdk('Tiramisu') as ModuleReports), 0);
  });

  test('parts that a report lacks are as good as empty', () => {
    const bare = { androguard: {}, cuckoo: { network: {} }, droidbox: {} } as unknown as ModuleReports;
    for (const expression of [
      'androguard.number_of_filters',
      'androguard.permissions_number',
      'androguard.certificate.sha1("a")',
      'androguard.functionality.imei.code(/./)',
      'file.size',
      'file.md5("a")',
      'cuckoo.network.udp(/./, 53)',
      'droidbox.read.data(/./)',
    ]) {
      assert.equal(resultOf(expression, bare), 0, expression);
    }
  });

  test('where a report is missing everything is 0', () => {
    for (const expression of [
      'androguard.url(/x/)',
      'androguard.min_sdk',
      'file.size',
      'droidbox.sendsms(/x/)',
      'cuckoo.sync.mutex(/x/)',
    ]) {
      assert.equal(resultOf(expression, none), 0, expression);
    }
  });

  test('an unknown name is told with the one that it is like, if there is one', () => {
    const problemOf = (path: string) => callProblem({ path, arguments: [{ kind: 'text', value: 'a' }] }, true);
    const meant = {
      'androguard.permissions': 'androguard.permission',
      'androguard.activities': 'androguard.activity',
      'androguard.functionality.dynamic_broadcast_receiver.code': 'androguard.functionality.dynamic_broadcast.code',
      'cuckoo.network.dns': 'cuckoo.network.dns_lookup',
      'file.sha265': 'file.sha256',
    };
    for (const [path, name] of Object.entries(meant)) {
      assert.equal(problemOf(path), `unknown field or function \`${path}\`; \`${name}\` may be meant`);
    }
    assert.equal(problemOf('cuckoo.network.icmp'), 'unknown field or function `cuckoo.network.icmp`');
    assert.equal(problemOf('androguard.certificate'), 'unknown field or function `androguard.certificate`');
  });
});
