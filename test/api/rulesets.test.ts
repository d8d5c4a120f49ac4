import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { statisticsSchema } from '../../server/contract/people/account.ts';
import { rulesetDetailSchema, rulesetListSchema, savedRulesetSchema } from '../../server/contract/rules/ruleset.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
let ben: string;
let expert: string;
before(async () => {
  workstation = await startWorkstation();
  ada = await workstation.analyst('ada');
  ben = await workstation.analyst('ben');
  expert = await workstation.analyst('expert');
  await workstation.ask('/analysts/expert/', { method: 'PATCH', json: { is_expert: true } });
});
after(() => workstation[Symbol.asyncDispose]());

const rules = 'rule steals : bank { strings: $a = "iban" condition: $a }\nrule sends { condition: true }\n';
const make = async (token: string, json: object) => {
  const answer = await workstation.ask('/rulesets/', { method: 'POST', token, json });
  assert.equal(answer.status, 201, answer.text);
  return rulesetDetailSchema.parse(answer.body);
};
const names = async (query: string, token: string | null = ada) => {
  const { status, body, text } = await workstation.ask(`/rulesets/?${query}`, { token });
  assert.equal(status, 200, text);
  const list = rulesetListSchema.parse(body);
  assert.equal(list.count, list.results.length);
  return list.results.map(({ name }) => name);
};

test('a ruleset is made with its rules, shown whole to whoever may see it, and listed without them', async () => {
  const made = await make(ada, { name: 'Banking', status: 'disabled', is_public: true, rules });
  assert.deepEqual(
    [made.status, made.is_public, made.is_notifier, made.rules_count, made.author, made.active_since, made.rules],
    ['disabled', true, true, 2, 'ada', null, rules],
  );
  const seen = await workstation.ask(`/rulesets/${made.id}/`, { token: null });
  assert.deepEqual(seen.body, made);
  const { body } = await workstation.ask('/rulesets/', { token: ben });
  assert.equal('rules' in body.results[0], false);
});

test('a form makes and changes a ruleset; what is absent keeps its value', async () => {
  const form = new URLSearchParams({ name: 'By form', status: 'enabled', is_public: 'True', is_notifier: 'False' });
  const { status, body } = await workstation.ask('/rulesets/', { method: 'POST', token: ada, body: form });
  assert.equal(status, 201);
  assert.deepEqual([body.is_public, body.is_notifier, body.rules], [true, false, '']);
  assert.notEqual(body.active_since, null);
  const path = `/rulesets/${body.id}/`;
  const put = await workstation.ask(path, { method: 'PUT', token: ada, body: new URLSearchParams({ rules }) });
  assert.equal(put.status, 200);
  assert.deepEqual([put.body.name, put.body.is_notifier, put.body.rules_count], ['By form', false, 2]);
  const off = await workstation.ask(path, { method: 'PATCH', token: ada, json: { status: 'disabled' } });
  assert.deepEqual([off.body.status, off.body.active_since], ['disabled', null]);
});

test('booleans are taken as 1 and 0 too, and a name or rules with a null character are refused', async () => {
  const sent = await workstation.ask('/rulesets/', {
    method: 'POST',
    json: { name: 'By number', is_public: 1, is_notifier: 0 },
  });
  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual([sent.body.is_public, sent.body.is_notifier], [true, false]);
  const changed = await workstation.ask(sent.body.url, { method: 'PATCH', json: { is_public: 0 } });
  assert.equal(changed.body.is_public, false);
  const refuse = async (json: object) => (await workstation.ask(sent.body.url, { method: 'PATCH', json })).body;
  assert.deepEqual(await refuse({ is_public: 2 }), { is_public: ['Must be a valid boolean.'] });
  assert.deepEqual(await refuse({ name: 'a\0b' }), { name: ['Null characters are not allowed.'] });
  assert.deepEqual(await refuse({ rules: '// a\0b' }), { rules: ['Null characters are not allowed.'] });
  await workstation.ask(sent.body.url, { method: 'DELETE' });
});

test('rules that do not compile are refused by line and column, and nothing is saved', async () => {
  const made = await make(ada, { name: 'Keeps', is_public: true, rules });
  const json = { name: 'Changed', rules: 'rule a { condition: true }\n  rule { condition: true }' };
  const answer = await workstation.ask(`/rulesets/${made.id}/`, { method: 'PUT', token: ada, json });
  assert.equal(answer.status, 400);
  assert.match(answer.body.rules[0], /^line 2, column \d+: /);
  assert.equal(answer.body.errors[0].line, 2);
  const { body } = await workstation.ask(`/rulesets/${made.id}/`, { token: ada });
  assert.deepEqual([body.name, body.rules], ['Keeps', rules]);
  assert.equal((await workstation.ask('/rulesets/', { method: 'POST', token: ada, json })).status, 400);
  assert.deepEqual(await names('name__iexact=changed'), []);
});

test('rules that are slow or in older dialect are saved, and their author is told so by line and column', async () => {
  const slow = 'rule a {\n  strings:\n    $a = { 00 00 00 }\n    $b = /a{b/\n  condition:\n    any of them\n}';
  const checked = await workstation.ask('/rulesets/validate/', { method: 'POST', token: ada, json: { rules: slow } });
  const places = (body: unknown) => savedRulesetSchema.parse(body).warnings.map(({ code, line }) => [code, line]);
  const json = { name: 'Slow', is_public: true, rules: slow };
  const { status, body } = await workstation.ask('/rulesets/', { method: 'POST', token: ada, json });
  assert.equal(status, 201);
  assert.deepEqual(
    places(body).map(([, line]) => line),
    [3, 4],
  );
  assert.deepEqual(body.warnings, checked.body.warnings);
  const path = `/rulesets/${body.id}/`;
  const again = await workstation.ask(path, { method: 'PATCH', token: ada, json: { rules: `\n${slow}` } });
  assert.deepEqual(
    places(again.body).map(([, line]) => line),
    [4, 5],
  );
  const renamed = await workstation.ask(path, { method: 'PUT', token: ada, json: { name: 'Slower' } });
  assert.deepEqual([renamed.status, renamed.body.warnings], [200, []]);
  assert.equal('warnings' in (await workstation.ask(path, { token: ada })).body, false);
});

test("rules may use the original's modules, and what they misuse is named", async () => {
  const good =
    'import "androguard"\nrule a { condition: androguard.permission(/SEND_SMS/) and androguard.min_sdk > 1 }';
  assert.equal((await make(ada, { name: 'Modules', is_public: true, rules: good })).rules_count, 1);
  const json = { name: 'Wrong', rules: 'import "androguard"\nrule a { condition: androguard.nothing("x") or other }' };
  const { status, body } = await workstation.ask('/rulesets/', { method: 'POST', token: ada, json });
  assert.equal(status, 400);
  const [error] = body.errors;
  assert.deepEqual([error.line, body.rules[0].startsWith(`line 2, column ${error.column}: `)], [2, true]);
});

test('a private ruleset is a 404 for everybody else, the owner of the workstation included', async () => {
  const { id } = await make(ben, { name: 'Secret', is_public: false });
  for (const token of [ada, expert, null, workstation.ownerToken]) {
    assert.equal((await workstation.ask(`/rulesets/${id}/`, { token })).status, 404);
    assert.deepEqual(await names('name__icontains=SECRET', token), []);
  }
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', 'promote/'],
    ['GET', 'comments/'],
  ] as const) {
    const json = method === 'PATCH' ? { json: { name: 'x' } } : {};
    assert.equal((await workstation.ask(`/rulesets/${id}/${path}`, { method, token: ada, ...json })).status, 404, path);
  }
  assert.deepEqual(await names('name__icontains=SECRET', ben), ['Secret']);
});

test('the list is filtered by state, author, ownership, name and visibility', async () => {
  const token = await workstation.analyst('cleo');
  await make(token, { name: 'Ängste', is_public: true, status: 'disabled' });
  await make(token, { name: 'angle', is_public: true });
  await make(token, { name: 'hidden', is_public: false });
  assert.deepEqual(await names('is_own=true', token), ['hidden', 'angle', 'Ängste']);
  assert.deepEqual(await names('is_own=True&is_public=False', token), ['hidden']);
  assert.deepEqual(await names('author=CLEO', token), ['angle', 'Ängste']);
  assert.deepEqual(await names('author=cleo&status=enabled'), ['angle']);
  assert.deepEqual(await names('author=cleo&is_own=1'), []);
  assert.deepEqual(await names('author=nobody'), []);
  assert.deepEqual(await names('name__iexact=%C3%A4NGSTE'), ['Ängste']);
  assert.deepEqual(await names('author=cleo&name__icontains=NG'), ['angle', 'Ängste']);
  assert.deepEqual(await names('author=cleo&name__icontains=%25'), []);
  assert.deepEqual(await names('is_own=true', null), []);
  const none = 'status=&is_own=&name__iexact=&name__icontains=&is_public=';
  assert.deepEqual(await names(`author=cleo&${none}`), ['angle', 'Ängste'], 'an empty filter is none');
  const half = await workstation.ask('/rulesets/?status=half');
  assert.equal(half.status, 400);
  assert.deepEqual(half.body, { status: ['"half" is not a valid choice. Choose one of: enabled, disabled.'] });
});

test('what belongs to another is a 403, without a token a 401, of no one a 404', async () => {
  const { id } = await make(ada, { name: 'Hers', is_public: true });
  const path = `/rulesets/${id}/`;
  for (const token of [ben, expert, workstation.ownerToken]) {
    assert.equal((await workstation.ask(path, { method: 'PATCH', token, json: { name: 'x' } })).status, 403);
    assert.equal((await workstation.ask(path, { method: 'DELETE', token })).status, 403);
  }
  assert.equal((await workstation.ask(path, { method: 'DELETE', token: null })).status, 401);
  assert.equal((await workstation.ask('/rulesets/0123456789abcdef/')).status, 404);
  assert.equal((await workstation.ask(path, { method: 'DELETE', token: ada })).status, 204);
  assert.equal((await workstation.ask(path, { token: ada })).status, 404);
});

test('private rulesets are limited by the group, exactly, when made and when hidden', async () => {
  const token = await workstation.analyst('dora', 'basic');
  const json = { name: 'private', is_public: false };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => workstation.ask('/rulesets/', { method: 'POST', token, json })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 403, 403, 403]);
  const { id } = await make(token, { name: 'open', is_public: true });
  const hide = () => workstation.ask(`/rulesets/${id}/`, { method: 'PATCH', token, json: { is_public: false } });
  assert.equal((await hide()).status, 403);
  const { body } = await workstation.ask('/rulesets/?is_public=false', { token });
  await workstation.ask(`/rulesets/${body.results[0].id}/`, { method: 'DELETE', token });
  assert.equal((await hide()).status, 200);
});

test('a setting delays new rules, from the moment they are saved', async () => {
  const { store } = workstation.server;
  await store.transaction(({ settings }) => settings.write('ruleset_delay_minutes', 5));
  const made = await make(ada, { name: 'Late', is_public: true, rules });
  const delay = Date.parse(made.active_since!) - Date.parse(made.created_at);
  assert.ok(Math.abs(delay - 300_000) < 2000, `${delay} ms`);
  await store.transaction(({ settings }) => settings.write('ruleset_delay_minutes', undefined));
  const renamed = await workstation.ask(`/rulesets/${made.id}/`, { method: 'PATCH', token: ada, json: { name: 'L' } });
  assert.equal(renamed.body.active_since, made.active_since);
});

test('an author asks for a public ruleset to be social, the owner or an expert answers', async () => {
  const { id } = await make(ada, { name: 'For all', is_public: true, rules });
  const promote = (token: string) => workstation.ask(`/rulesets/${id}/promote/`, { method: 'POST', token });
  const judge = (token: string, accepted: unknown) =>
    workstation.ask(`/rulesets/${id}/social/`, { method: 'POST', token, json: { accepted } });
  assert.equal((await judge(expert, true)).status, 409);
  assert.equal((await promote(ben)).status, 403);
  assert.equal((await promote(ada)).body.social_status, 'pending');
  assert.equal((await judge(ada, true)).status, 403);
  assert.equal((await judge(expert, 'perhaps')).status, 400);
  const rejected = await judge(expert, false);
  assert.deepEqual([rejected.body.social_status, rejected.body.is_social], ['rejected', false]);
  await promote(ada);
  const accepted = await judge(workstation.ownerToken, true);
  assert.deepEqual([accepted.body.social_status, accepted.body.is_social], ['accepted', true]);
  const hidden = await make(ada, { name: 'Mine', is_public: false });
  const refused = await workstation.ask(`/rulesets/${hidden.id}/promote/`, { method: 'POST', token: ada });
  assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['is_public']]);
});

test('enabled rulesets are limited by the group, exactly, when made and when enabled; what is disabled is not', async () => {
  const token = await workstation.analyst('erin', 'basic');
  const json = { name: 'enabled', is_public: true };
  const answers = await Promise.all(
    Array.from({ length: 22 }, () => workstation.ask('/rulesets/', { method: 'POST', token, json })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403],
  );
  assert.match(refused[0]!.body.detail, /may have 20 enabled rulesets.*Disable one first/);
  const off = await make(token, { ...json, status: 'disabled' });
  const enable = () => workstation.ask(`/rulesets/${off.id}/`, { method: 'PATCH', token, json: { status: 'enabled' } });
  assert.equal((await enable()).status, 403);
  const { body } = await workstation.ask(`/rulesets/${off.id}/`, { token });
  assert.deepEqual([body.status, body.active_since], ['disabled', null]);
  const some = answers.find(({ status }) => status === 201)!.body.id;
  await workstation.ask(`/rulesets/${some}/`, { method: 'PATCH', token, json: { status: 'disabled' } });
  assert.equal((await enable()).status, 200);
});

test('the length of enabled rulesets is limited together; what is over may become shorter, and is saved disabled', async () => {
  const token = await workstation.analyst('finn', 'basic');
  const long = (length: number) => 'rule a { condition: true } //'.padEnd(length, 'x');
  const json = (length: number) => ({ name: 'long', is_public: true, rules: long(length) });
  const { id } = await make(token, json(1_000_000));
  await make(token, json(900_000));
  const over = await workstation.ask('/rulesets/', { method: 'POST', token, json: json(100_001) });
  assert.equal(over.status, 403);
  assert.match(over.body.detail, /2000000 characters together.*2000001/);
  await make(token, { ...json(100_001), status: 'disabled' });
  const third = await make(token, json(100_000));
  const change = (to: string, changes: object) =>
    workstation.ask(`/rulesets/${to}/`, { method: 'PATCH', token, json: changes });
  assert.equal((await change(third.id, { rules: long(100_001) })).status, 403);
  await workstation.ask('/analysts/finn/', { method: 'PATCH', json: { api_group: 'gold' } });
  await make(token, json(500_000));
  await workstation.ask('/analysts/finn/', { method: 'PATCH', json: { api_group: 'basic' } });
  assert.equal((await change(id, { rules: long(990_000), name: 'shorter' })).status, 200);
  assert.equal((await change(id, { rules: long(990_001) })).status, 403);
});

test('the owner of the workstation may enable whatever there is', async () => {
  const token = workstation.ownerToken;
  await Promise.all(Array.from({ length: 25 }, () => make(token, { name: 'own', is_public: true })));
  const rules = 'rule a { condition: true } //'.padEnd(1_000_000, 'x');
  for (let times = 0; times < 3; times++) await make(token, { name: 'long', is_public: true, rules });
});

test('an account sees how much of its limits for rulesets it uses; the owner has none', async () => {
  const quin = await workstation.analyst('quin');
  const usage = async (token?: string) =>
    statisticsSchema.parse((await workstation.ask('/account/statistics/', token === undefined ? {} : { token })).body);
  assert.deepEqual((await usage(quin)).ruleset_limits, {
    enabled: { limit: 20, used: 0 },
    enabled_characters: { limit: 2_000_000, used: 0 },
    private: { limit: 5, used: 0 },
  });
  await make(quin, { name: 'Shared', status: 'enabled', is_public: true, rules });
  await make(quin, { name: 'Kept back', status: 'disabled', is_public: false, rules });
  const { ruleset_limits: limits, ruleset_scan_seconds: seconds } = await usage(quin);
  assert.deepEqual(
    [limits.enabled.used, limits.enabled_characters.used, limits.private.used, seconds],
    [1, rules.length, 1, 10],
  );
  const owner = await usage();
  assert.deepEqual([owner.ruleset_limits.enabled.limit, owner.ruleset_scan_seconds], [null, null]);
});
