// Who may do what, for every operation of the OpenAPI document: asked over HTTP as everybody.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { failures } from '../../server/contract/failure.ts';
import type { Access, Operation } from '../../server/contract/operations/operation.ts';
import { operations as everyOperation } from '../../server/contract/operations/operations.ts';
import type { Action } from '../../server/contract/policy.ts';
import { feedFileName } from '../../server/services/catalogue/feeds.ts';
import { feedPackageId } from '../../server/store/repositories/feed-repository.ts';
import { type DocumentedOperation, documentedOperations } from '../fixtures/documented-operations.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

/** `author` is the analyst to whom everything belongs that is asked about; `other` and `expert` are analysts beside him. */
const callers = ['nobody', 'author', 'other', 'expert', 'gold', 'owner'] as const;
type Caller = (typeof callers)[number];

/** Whom a rule lets in; the others are refused with this status, nobody with 401 where it is not said. */
interface Rule {
  lets: readonly Caller[];
  refuses: number;
  nobody?: number;
}

/** Of operations that say nothing but who may call them. */
const byAccess: Record<Access, Rule> = {
  token: { lets: ['author', 'other', 'expert', 'gold', 'owner'], refuses: 403 },
  anybody: { lets: callers, refuses: 403 },
  optional: { lets: callers, refuses: 403 },
  lenient: { lets: callers, refuses: 403 },
};

const owner: readonly Caller[] = ['owner'];
const expert: readonly Caller[] = ['expert', 'owner'];

/** Of operations that name a policy: whom it lets in. */
const byPolicy: Record<Action, readonly Caller[]> = {
  'apk.trust': expert,
  'apk.delete': owner,
  'ruleset.judge': expert,
  'analyses.renew': owner,
  'jobs.all': owner,
  'analysts.create': owner,
  'lists.manage': owner,
  'libraries.manage': owner,
  'folders.watch': owner,
  'rule-packages.manage': owner,
  'account.rename': owner,
  'analysts.administer': owner,
  'settings.manage': owner,
  'devices.use': expert,
  'sharing.manage': owner,
  'audit.read': owner,
  'storage.manage': owner,
  'feed.read': ['gold', 'owner'],
  'comments.moderate': owner,
};

/** Of operations that look at what they are about, or at more than an account, and those operations. */
const byRecord: readonly (Rule & { operations: string })[] = [
  {
    // By a link that was signed for it, whoever asks.
    ...{ lets: [], refuses: 403, nobody: 403 },
    operations: `
      POST /uploads/{sha256}/  PUT /uploads/{sha256}/  GET /downloads/{name}/  GET /icons/{sha256}/
      GET /avatars/{username}/  GET /feed/{id}/{name}/  GET /backups/{name}/
    `,
  },
  {
    // By the token of a machine, which nobody has.
    ...{ lets: [], refuses: 401, nobody: 401 },
    operations: `
      GET /lab/queue/  POST /lab/heartbeat/  POST /lab/drain/  POST /lab/join/
      GET /lab/tasks/{ticket}/  GET /lab/tasks/{ticket}/file/  POST /lab/tasks/{ticket}/answer/
    `,
  },
  // By a session, not by a token.
  { lets: [], refuses: 403, operations: 'DELETE /session/' },
  {
    ...{ lets: ['author'], refuses: 403 },
    operations: `
      PUT /rulesets/{id}/  PATCH /rulesets/{id}/  DELETE /rulesets/{id}/  POST /rulesets/{id}/promote/
      PUT /legacy/public_rulesets/{id}/  PATCH /legacy/public_rulesets/{id}/  DELETE /legacy/public_rulesets/{id}/
      POST /legacy/public_rulesets/{id}/promote_social/
    `,
  },
  { lets: ['author', 'expert', 'owner'], refuses: 403, operations: 'POST /rulesets/{id}/retrohunt/' },
  {
    ...{ lets: ['author', 'owner'], refuses: 403 },
    operations: `
      PUT /analysts/{username}/  PATCH /analysts/{username}/
      PUT /legacy/analysts/{username}/  PATCH /legacy/analysts/{username}/
      PUT /apks/{sha256}/comments/{comment}/  PATCH /apks/{sha256}/comments/{comment}/
      DELETE /apks/{sha256}/comments/{comment}/
      PUT /rulesets/{id}/comments/{comment}/  PATCH /rulesets/{id}/comments/{comment}/
      DELETE /rulesets/{id}/comments/{comment}/
      PUT /analysts/{username}/profile_comments/{comment}/  PATCH /analysts/{username}/profile_comments/{comment}/
      DELETE /analysts/{username}/profile_comments/{comment}/
      PUT /legacy/apks/{sha256}/comments/{id}/  PATCH /legacy/apks/{sha256}/comments/{id}/
      DELETE /legacy/apks/{sha256}/comments/{id}/
      PUT /legacy/public_rulesets/{ruleset}/comments/{id}/  PATCH /legacy/public_rulesets/{ruleset}/comments/{id}/
      DELETE /legacy/public_rulesets/{ruleset}/comments/{id}/
      PUT /legacy/analysts/{username}/profile_comments/{id}/  PATCH /legacy/analysts/{username}/profile_comments/{id}/
      DELETE /legacy/analysts/{username}/profile_comments/{id}/
      PUT /legacy/comments/{id}/  PATCH /legacy/comments/{id}/  DELETE /legacy/comments/{id}/
    `,
  },
  {
    // For others it is not there.
    ...{ lets: ['author'], refuses: 404 },
    operations: `
      GET /account/tokens/{id}/  DELETE /account/tokens/{id}/
      GET /account/searches/{id}/  PUT /account/searches/{id}/  PATCH /account/searches/{id}/
      DELETE /account/searches/{id}/
      GET /notifications/{id}/  PUT /notifications/{id}/  PATCH /notifications/{id}/
      GET /legacy/notifications/{id}/  PUT /legacy/notifications/{id}/  PATCH /legacy/notifications/{id}/
      GET /legacy/user_rulesets/{id}/  PUT /legacy/user_rulesets/{id}/  PATCH /legacy/user_rulesets/{id}/
      DELETE /legacy/user_rulesets/{id}/  POST /legacy/user_rulesets/{id}/promote_social/
    `,
  },
  { lets: ['author', 'owner'], refuses: 403, operations: 'DELETE /cases/{id}/' },
  { lets: ['author', 'owner'], refuses: 404, operations: 'GET /jobs/{id}/  POST /jobs/{id}/cancel/' },
];

const listed = new Map(
  byRecord.flatMap(({ operations: text, ...rule }) =>
    text
      .trim()
      .split(/\s{2,}/)
      .map((name): [string, Rule] => [name, rule]),
  ),
);

const stated = new Map(
  Object.entries<Operation>(everyOperation).flatMap(([key, operation]) => {
    const [methods, path] = key.replaceAll(/<(\w+)>/g, '{$1}').split(' ') as [string, string];
    return methods.split('|').map((method): [string, Operation] => [`${method} ${path}`, operation]);
  }),
);

function ruleOf(name: string): Rule {
  const { access, policy, policyRefusal = 'not-allowed' } = stated.get(name)!;
  const byItself =
    policy === undefined ? byAccess[access] : { lets: byPolicy[policy], refuses: failures[policyRefusal].status };
  return listed.get(name) ?? byItself;
}

let workstation: TestWorkstation;
let operations: DocumentedOperation[];
const tokens = {} as Record<Caller, string | null>;

before(async () => {
  workstation = await startWorkstation();
  const { server } = workstation;
  await workstation.ask('/limits/', {
    method: 'PATCH',
    json: { basic: { 'api-usage': '999999/min', analysts: '999999/min' } },
  });
  for (const caller of callers) {
    tokens[caller] =
      caller === 'nobody'
        ? null
        : caller === 'owner'
          ? workstation.ownerToken
          : await workstation.analyst(caller, caller === 'gold' ? 'gold' : 'basic');
  }
  await workstation.ask('/analysts/expert', { method: 'PATCH', json: { is_expert: true } });
  await server.store.transaction(({ apks }) => apks.insert(newApk(1)));
  const { body } = await workstation.ask('/openapi.json', { token: null });
  operations = documentedOperations(body);
});
after(() => workstation[Symbol.asyncDispose]());

const sha256 = newApk(1).sha256;
const byAuthor = (path: string, method: string, json: object) =>
  workstation.ask(path, { method, json, token: tokens.author });

/** What the segments of a path name, of the author's and made anew. */
async function subjects(path: string): Promise<Record<string, string>> {
  if (!path.includes('{')) return {};
  const { services, store } = workstation.server;
  const legacy = path.startsWith('/legacy/');
  const author = (await store.accounts.findByUsername('author'))!;
  const apk =
    (await store.apks.findBySha256(sha256)) ?? (await store.transaction(({ apks }) => apks.insert(newApk(1))));
  const found: Record<string, string> = { sha256, username: 'author', name: 'banker', version: '1' };
  let ruleset = { id: '', number: 0, shown: '' };
  if (path.includes('ruleset')) {
    const made = await byAuthor('/rulesets/', 'POST', { name: 'Policies', is_public: true, status: 'disabled' });
    const number = services.ids.decode('ruleset', made.body.id)!;
    ruleset = { id: made.body.id, number, shown: legacy ? String(number) : made.body.id };
  }
  if (path.includes('comment')) {
    const about = path.includes('ruleset')
      ? `/rulesets/${ruleset.id}/comments/`
      : path.includes('/analysts/')
        ? '/analysts/author/profile_comments/'
        : `/apks/${sha256}/comments/`;
    const { body } = await byAuthor(about, 'POST', { text: 'words' });
    const number = services.ids.decode('comment', body.id)!;
    found.comment = legacy ? String(number) : body.id;
    found.id = legacy ? String(number) : ruleset.shown;
    found.ruleset = ruleset.shown;
  } else if (path.includes('ruleset')) {
    found.id = ruleset.shown;
    const match = await store.transaction(({ matches }) => matches.save(apk.id, ruleset.number, []));
    found.match = services.ids.encode('match', match.match.id);
  } else if (path.includes('/notifications/')) {
    const made = await store.transaction(({ notifications }) =>
      notifications.insert({ accountId: author.id, type: 'user_new_follower', analystId: 1 }),
    );
    found.id = legacy ? String(made.id) : services.ids.encode('notification', made.id);
  } else if (path.startsWith('/jobs/')) {
    const job = { apkId: null, priority: 1, isAutomatic: false, payload: null, accountId: null };
    const { id } = await store.transaction(({ jobs }) => jobs.insert({ kind: 'static', ...job }));
    await store.transaction(({ jobs }) => jobs.addRequester(id, author.id, false));
    await store.transaction(({ jobs }) => jobs.end(id, { status: 'done', errorCode: null, error: null }));
    found.id = services.ids.encode('job', id);
  } else if (path.startsWith('/feed/')) {
    const interval = { feedType: 'apks', packageType: '5-minutes', startsAt: 300_000_000 } as const;
    await store.transaction(({ feeds }) => feeds.save([{ ...interval, members: 0 }]));
    found.id = services.ids.encode('feed', feedPackageId(interval));
    found.name = feedFileName(interval);
  } else if (path.startsWith('/families/')) {
    const { id } = await services.familyEdits.create(author, [sha256], 'Joker');
    found.id = services.ids.encode('family', id);
  } else if (path.startsWith('/content_searches/')) {
    const asked = { method: 'POST', json: { search: 'content:"words"' } };
    found.id = (await workstation.ask('/content_searches/', asked)).body.id;
  } else if (path.startsWith('/cases/{id}/')) {
    found.id = (await byAuthor('/cases/', 'POST', { name: randomUUID() })).body.id;
    const entry = { kind: 'note', text: 'words' };
    found.entry = (await byAuthor(`/cases/${found.id}/entries/`, 'POST', entry)).body.id;
  } else if (path.startsWith('/signers/')) {
    await store.transaction(({ signers }) => signers.ensure({ sha256, sha1: 'b'.repeat(40) }));
  } else if (path.startsWith('/account/searches/')) {
    found.id = (await byAuthor('/account/searches/', 'POST', { name: randomUUID(), search: 'x' })).body.id;
  } else if (path.startsWith('/account/tokens/')) {
    found.id = (await byAuthor('/account/tokens/', 'POST', {})).body.id;
  }
  if (path.includes('/downloads/')) found.name = `${sha256}.apk`;
  return found;
}

/** What machines say of themselves, and what is said of them. */
const ofMachines = {
  ...{ state: 'on', secret: 'none', name: 'none', version: '0', engine_version: 0 },
  ...{ cores: 1, load: 0, is_taking: false, running: [] },
};

/** Well-formed bodies: a policy is asked about what is well-formed alone. */
function bodyOf({ method, path, fields }: DocumentedOperation, caller: Caller): object | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined;
  if (fields.includes('username')) return { username: `made-by-${caller}${path.length}` };
  const known: Record<string, unknown> = {
    text: 'words',
    kind: 'positive',
    accepted: true,
    device: 'none',
    is_trusted: true,
    is_enabled: true,
    ...(/^\/(?:watched-folders|imports|collections)\//.test(path) ? { path: '/none/none' } : {}),
    ...(path.startsWith('/imports/') ? { state: 'stopped' } : {}),
    ...(path.startsWith('/collections/') ? { passphrase: 'of many letters' } : {}),
    ...(path.startsWith('/lab/') ? ofMachines : {}),
  };
  return Object.fromEntries(fields.flatMap((field) => (field in known ? [[field, known[field]]] : [])));
}

/** What is well-formed has a query. */
const queries: Readonly<Record<string, string>> = { 'POST /known_lists/': '?name=list&kind=bad' };

test('every operation of the contract is documented, with its policy, and whoever is listed above is one', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(documented.toSorted(), [...stated.keys()].toSorted());
  const policies = operations.map(({ method, path, policy }) => [stated.get(`${method} ${path}`)?.policy, policy]);
  assert.deepEqual(
    policies.filter(([policy, told]) => policy !== told),
    [],
  );
  assert.deepEqual(
    [...listed.keys()].filter((name) => !stated.has(name) || stated.get(name)?.policy !== undefined),
    [],
    'there is no such operation, or its policy says it all',
  );
});

test('everybody is let in and refused as access, policy and the table say', async () => {
  const faults: string[] = [];
  for (const operation of operations) {
    // A stream without an end: who is let in is told in the tests of its own.
    if (operation.path === '/events/') continue;
    const name = `${operation.method} ${operation.path}`;
    const rule = ruleOf(name);
    let found: Record<string, string> | null = null;
    for (const caller of callers) {
      const named: Record<string, string> = found ?? (await subjects(operation.path));
      found = named;
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, segment: string) => named[segment] ?? 'nothing');
      const json = bodyOf(operation, caller);
      const settings = { method: operation.method, token: tokens[caller], ...(json === undefined ? {} : { json }) };
      const { status } = await workstation.ask(`${path}${queries[name] ?? ''}`, settings);
      const refused = caller === 'nobody' ? (rule.nobody ?? 401) : rule.refuses;
      const isLetIn = status !== 401 && status !== 403 && !(status === 404 && refused === 404);
      const isExpected = rule.lets.includes(caller) ? isLetIn : status === refused;
      if (!isExpected) faults.push(`${name} as ${caller}: ${status}`);
      // Whoever is let in may have deleted or changed it.
      if (isLetIn && operation.method !== 'GET') found = null;
    }
  }
  assert.deepEqual(faults, []);
});

test('only the corporate groups and the workstation get the feed, whatever the role', async () => {
  for (const [group, isLetIn] of [
    ['basic', false],
    ['bronze', false],
    ['silver', false],
    ['gold', true],
    ['workstation', true],
  ] as const) {
    const token = await workstation.analyst(`in-${group}`, group);
    for (const path of ['/feed/', '/feed/apks/', '/feed/analyses/', '/feed/detected/']) {
      const { status } = await workstation.ask(path, { token });
      assert.equal(status !== 403, isLetIn, `${group} ${path}: ${status}`);
      if (path === '/feed/') continue;
      assert.equal((await workstation.ask(`/legacy${path}`, { token })).status !== 401, isLetIn);
    }
    // A group gives no role.
    assert.equal((await workstation.ask('/settings/', { token })).status, 403);
  }
});

test('a refused action is a 404 for what the caller may not see, and a 403 for what they may', async () => {
  const hidden = await byAuthor('/rulesets/', 'POST', { name: 'Hidden', is_public: false });
  const shown = await byAuthor('/rulesets/', 'POST', { name: 'Shown', is_public: true, status: 'disabled' });
  const found = await subjects('/apks/{sha256}/');
  const unknown = 'f'.repeat(64);
  const signer = { sha256: 'a'.repeat(64), sha1: 'a'.repeat(40) };
  await workstation.server.store.transaction(async ({ apks, signers }) =>
    apks.insert({ ...newApk(2), signerId: (await signers.ensure(signer)).id }),
  );
  const asked = [
    ['PATCH', `/apks/${found.sha256}/`, { is_trusted: true }, 403],
    ['PATCH', `/apks/${unknown}/`, { is_trusted: true }, 404],
    ['DELETE', `/apks/${found.sha256}/`, undefined, 403],
    ['DELETE', `/apks/${unknown}/`, undefined, 404],
    ['POST', `/apks/${found.sha256}/analyze_device/`, { device: 'none' }, 403],
    ['POST', `/apks/${unknown}/analyze_device/`, { device: 'none' }, 404],
    ['POST', `/rulesets/${shown.body.id}/social/`, { accepted: true }, 403],
    ['POST', `/rulesets/${hidden.body.id}/social/`, { accepted: true }, 404],
    ['POST', '/rulesets/0000000000000000/social/', { accepted: true }, 404],
    ['PATCH', `/signers/${signer.sha256}/`, { is_trusted: true }, 403],
    ['PATCH', `/signers/${unknown}/`, { is_trusted: true }, 404],
    ['DELETE', '/second_factors/author/', undefined, 403],
    ['DELETE', '/second_factors/nobody-of-this-name/', undefined, 404],
    // What they do not see at all is refused alike, whether it is there or not.
    ['DELETE', '/invitations/0000000000000000/', undefined, 403],
    ['DELETE', '/backups/none.zip/', undefined, 403],
  ] as const;
  for (const [method, path, json, expected] of asked) {
    const { status } = await workstation.ask(path, {
      method,
      token: tokens.other,
      ...(json === undefined ? {} : { json }),
    });
    assert.equal(status, expected, `${method} ${path}`);
  }
});

test('a list is documented to come in pages where a page size changes it, and nowhere else', async () => {
  const faults: string[] = [];
  for (const { method, path, query, isJson } of operations) {
    if (method !== 'GET' || !isJson) continue;
    const isPaged = query.some(({ name }) => name === 'page_size');
    const found = await subjects(path);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, segment: string) => found[segment] ?? 'nothing');
    const token = path.startsWith('/account/') || path.includes('user_rulesets') ? tokens.author : tokens.owner;
    const { status, body } = await workstation.ask(`${address}?page_size=0`, { token });
    const heedsSize = status === 400 && body.page_size !== undefined;
    if (isPaged !== heedsSize) faults.push(`${path}: ${status}`);
  }
  assert.deepEqual(faults, []);
});
