// Who may do what, for every operation of the OpenAPI document: asked over HTTP as everybody.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { feedFileName } from '../../server/services/catalogue/feeds.ts';
import { feedPackageId } from '../../server/store/repositories/feed-repository.ts';
import { type DocumentedOperation, documentedOperations } from '../fixtures/documented-operations.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

/** `author` is the analyst to whom everything belongs that is asked about; `other` and `expert` are analysts beside him. */
const callers = ['nobody', 'author', 'other', 'expert', 'gold', 'owner'] as const;
type Caller = (typeof callers)[number];

/** Whom each rule lets in; the others are refused with this status, nobody with 401 where it is not said. */
const rules: Record<string, { lets: readonly Caller[]; refuses: number; nobody?: number }> = {
  anybody: { lets: callers, refuses: 403 },
  token: { lets: ['author', 'other', 'expert', 'gold', 'owner'], refuses: 403 },
  owner: { lets: ['owner'], refuses: 403 },
  expert: { lets: ['expert', 'owner'], refuses: 403 },
  feed: { lets: ['gold', 'owner'], refuses: 403 },
  'older feed': { lets: ['gold', 'owner'], refuses: 401 },
  author: { lets: ['author'], refuses: 403 },
  'author, expert, owner': { lets: ['author', 'expert', 'owner'], refuses: 403 },
  'author, owner': { lets: ['author', 'owner'], refuses: 403 },
  /** For others it is not there. */
  'author alone': { lets: ['author'], refuses: 404 },
  'author alone, owner': { lets: ['author', 'owner'], refuses: 404 },
  /** Only by a link that was signed for it, whoever asks. */
  signed: { lets: [], refuses: 403, nobody: 403 },
  /** By a session, not by a token. */
  session: { lets: [], refuses: 403 },
};

/** Every operation by its rule; with `token` any will do. */
const table: Record<keyof typeof rules, string> = {
  anybody: `
    GET /  GET /health/  GET /ca.crt/
    GET /apks/{sha256}/get_upload_url/  GET /legacy/apks/{sha256}/get_upload_url/
    GET /rulesets/  GET /rulesets/{id}/  GET /rulesets/{id}/versions/  GET /rulesets/{id}/versions/{version}/
    GET /legacy/public_rulesets/  GET /legacy/public_rulesets/{id}/
    POST /session/
  `,
  signed: `
    POST /uploads/{sha256}/  PUT /uploads/{sha256}/  GET /downloads/{name}/  GET /icons/{sha256}/
    GET /avatars/{username}/  GET /feed/{id}/{name}/  GET /backups/{name}/
  `,
  session: 'DELETE /session/',
  owner: `
    DELETE /apks/{sha256}/  POST /analyses/outdated/
    POST /analysts/  POST /legacy/analysts/  GET /invitations/  POST /invitations/  DELETE /invitations/{id}/
    GET /settings/  PUT /settings/  PATCH /settings/  GET /limits/  PUT /limits/  PATCH /limits/
    GET /isolation/  GET /sharing/  POST /sharing/authority/  GET /audit/  GET /audit/export/  GET /storage/
    GET /second_factors/  DELETE /second_factors/{username}/
    GET /backups/  POST /backups/  DELETE /backups/{name}/
  `,
  expert: `
    PATCH /apks/{sha256}/  POST /rulesets/{id}/social/  PUT /signers/{sha256}/  PATCH /signers/{sha256}/
    GET /devices/{serial}/packages/  POST /devices/{serial}/import/
    POST /apks/{sha256}/analyze_device/
  `,
  feed: 'GET /feed/  GET /feed/apks/  GET /feed/analyses/  GET /feed/detected/  GET /feed/{id}/',
  'older feed': 'GET /legacy/feed/apks/  GET /legacy/feed/analyses/  GET /legacy/feed/detected/',
  author: `
    PUT /rulesets/{id}/  PATCH /rulesets/{id}/  DELETE /rulesets/{id}/  POST /rulesets/{id}/promote/
    PUT /legacy/public_rulesets/{id}/  PATCH /legacy/public_rulesets/{id}/  DELETE /legacy/public_rulesets/{id}/
    POST /legacy/public_rulesets/{id}/promote_social/
  `,
  'author, expert, owner': 'POST /rulesets/{id}/retrohunt/',
  'author, owner': `
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
  'author alone': `
    GET /account/tokens/{id}/  DELETE /account/tokens/{id}/
    GET /account/searches/{id}/  PUT /account/searches/{id}/  PATCH /account/searches/{id}/  DELETE /account/searches/{id}/
    GET /notifications/{id}/  PUT /notifications/{id}/  PATCH /notifications/{id}/
    GET /legacy/notifications/{id}/  PUT /legacy/notifications/{id}/  PATCH /legacy/notifications/{id}/
    GET /legacy/user_rulesets/{id}/  PUT /legacy/user_rulesets/{id}/  PATCH /legacy/user_rulesets/{id}/
    DELETE /legacy/user_rulesets/{id}/  POST /legacy/user_rulesets/{id}/promote_social/
  `,
  'author alone, owner': 'GET /jobs/{id}/  POST /jobs/{id}/cancel/',
  token: `
    GET /about/  GET /about/notices/  GET /about/bill_of_materials/
    GET /devices/  GET /devices/{serial}/  GET /signers/
    GET /apks/facets/  GET /apks/completions/  POST /apks/bulk/  GET /account/searches/  POST /account/searches/
    GET /statistics/  GET /apks/  GET /apks/{sha256}/  GET /apks/{sha256}/analysis/
    GET /apks/{sha256}/analysis/androguard/  GET /apks/{sha256}/analysis/cuckoo/
    GET /apks/{sha256}/analysis/dynamic/  GET /apks/{sha256}/analysis/device/  GET /apks/{sha256}/analyze_static/  POST /apks/{sha256}/analyze_static/
    GET /apks/{sha256}/analyze_dynamic/  POST /apks/{sha256}/analyze_dynamic/  GET /apks/{sha256}/analyze_yara/
    POST /apks/{sha256}/analyze_yara/  GET /apks/{sha256}/analyze_antivirus/
    POST /apks/{sha256}/analyze_antivirus/  GET /apks/{sha256}/download/  GET /apks/{sha256}/manifest/
    GET /apks/{sha256}/files/  GET /apks/{sha256}/files/content/  GET /apks/{sha256}/files/image/
    GET /apks/{sha256}/artefacts/{artefact}/  GET /apks/{sha256}/files/xml/  GET /apks/{sha256}/resources/  GET /apks/{sha256}/resources/values/
    GET /apks/{sha256}/code/  GET /apks/{sha256}/code/classes/  GET /apks/{sha256}/code/class/
    GET /apks/{sha256}/code/references/  GET /apks/{sha256}/code/search/  GET /apks/{sha256}/code/permissions/
    GET /apks/{sha256}/vote_positive/  POST /apks/{sha256}/vote_positive/  GET /apks/{sha256}/vote_negative/
    POST /apks/{sha256}/vote_negative/  GET /apks/{sha256}/votes/  POST /apks/{sha256}/tags/
    DELETE /apks/{sha256}/tags/{name}/  POST /rulesets/dry_run/  GET /dry_runs/{id}/  POST /dry_runs/{id}/cancel/
    GET /retrohunts/  POST /retrohunts/  GET /retrohunts/{id}/  POST /retrohunts/{id}/cancel/
    GET /retrohunts/{id}/matches/  GET /retrohunts/{id}/failures/  POST /rulesets/validate/  GET /yara/vocabulary/
    GET /yara/starting_rules/  POST /rulesets/  GET /apks/{sha256}/matches/  GET /rulesets/{id}/matches/  GET /rulesets/{id}/matches/{match}/
    GET /apks/{sha256}/comments/  POST /apks/{sha256}/comments/  GET /apks/{sha256}/comments/{comment}/
    GET /rulesets/{id}/comments/  POST /rulesets/{id}/comments/  GET /rulesets/{id}/comments/{comment}/
    GET /analysts/{username}/profile_comments/  POST /analysts/{username}/profile_comments/
    GET /analysts/{username}/profile_comments/{comment}/  POST /uploads/  PUT /uploads/  GET /jobs/  GET /account/
    PUT /account/  PATCH /account/  POST /account/avatar/  PUT /account/avatar/  DELETE /account/avatar/
    POST /account/password/  GET /account/statistics/  GET /account/second_factor/  POST /account/second_factor/  POST /account/second_factor/confirm/
    POST /account/second_factor/renew_recovery_codes/  POST /account/second_factor/remove/
    GET /account/tokens/  POST /account/tokens/
    GET /account/sessions/  DELETE /account/sessions/{id}/  GET /legacy/apks/  GET /legacy/apks/{sha256}/
    GET /legacy/apks/{sha256}/analysis/  GET /legacy/apks/{sha256}/analyze/  POST /legacy/apks/{sha256}/analyze/
    GET /legacy/apks/{sha256}/detections/  GET /legacy/apks/{sha256}/download/  POST /legacy/apks/{sha256}/tags/
    DELETE /legacy/apks/{sha256}/tags/{name}/  GET /legacy/apks/{sha256}/votes/  POST /legacy/apks/{sha256}/votes/
    GET /legacy/apks/{sha256}/user_vote/  GET /legacy/public_rulesets/{id}/user_vote/  GET /legacy/comments/
    GET /legacy/analysts/{username}/following/activity/
    GET /legacy/apks/{sha256}/comments/  POST /legacy/apks/{sha256}/comments/
    GET /legacy/apks/{sha256}/comments/{id}/  GET /legacy/public_rulesets/{ruleset}/comments/
    POST /legacy/public_rulesets/{ruleset}/comments/  GET /legacy/public_rulesets/{ruleset}/comments/{id}/
    GET /legacy/analysts/{username}/profile_comments/  POST /legacy/analysts/{username}/profile_comments/
    GET /legacy/analysts/{username}/profile_comments/{id}/  GET /legacy/comments/{id}/
    GET /legacy/analysts/{username}/comments/  POST /legacy/public_rulesets/
    GET /legacy/user_rulesets/  POST /legacy/user_rulesets/
    GET /legacy/public_rulesets/{id}/votes/  POST /legacy/public_rulesets/{id}/votes/
    GET /legacy/ruleset_matches/{id}/apks/  GET /legacy/notifications/
    POST /legacy/notifications/mark_all_as_read/  GET /legacy/analysts/{username}/activity/  GET /legacy/activity/
    GET /analysts/current/  GET /legacy/analysts/current/  GET /legacy/analysts/{username}/rulesets/
    GET /legacy/analysts/  GET /legacy/analysts/{username}/  GET /legacy/analysts/{username}/followers/
    GET /legacy/analysts/{username}/following/  GET /legacy/analysts/{username}/follow/
    POST /legacy/analysts/{username}/follow/  GET /legacy/analysts/{username}/unfollow/
    POST /legacy/analysts/{username}/unfollow/  GET /analysts/  GET /analysts/{username}/
    GET /analysts/{username}/followers/  GET /analysts/{username}/following/  GET /analysts/{username}/follow/
    POST /analysts/{username}/follow/  GET /analysts/{username}/unfollow/  POST /analysts/{username}/unfollow/
    GET /analysts/{username}/activity/  GET /analysts/{username}/comments/  GET /analysts/{username}/rulesets/
    GET /events/  GET /notifications/  POST /notifications/mark_all_as_read/
  `,
};

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

/** Things of the author's, made anew, so that whoever deletes them deletes no other's. */
async function subjects(path: string): Promise<Record<string, string>> {
  const { services, store } = workstation.server;
  const legacy = path.startsWith('/legacy/');
  const author = (await store.accounts.findByUsername('author'))!;
  const apk =
    (await store.apks.findBySha256(sha256)) ?? (await store.transaction(({ apks }) => apks.insert(newApk(1))));
  const found: Record<string, string> = { sha256, username: 'author', name: 'banker', version: '1' };
  const ruleset = await byAuthor('/rulesets/', 'POST', { name: 'Policies', is_public: true, status: 'disabled' });
  const rulesetId = services.ids.decode('ruleset', ruleset.body.id)!;
  const shownRuleset = legacy ? String(rulesetId) : ruleset.body.id;
  if (path.includes('comment')) {
    const about = path.includes('ruleset')
      ? `/rulesets/${ruleset.body.id}/comments/`
      : path.includes('/analysts/')
        ? '/analysts/author/profile_comments/'
        : `/apks/${sha256}/comments/`;
    const { body } = await byAuthor(about, 'POST', { text: 'words' });
    const number = services.ids.decode('comment', body.id)!;
    found.comment = legacy ? String(number) : body.id;
    found.id = legacy ? String(number) : shownRuleset;
    found.ruleset = shownRuleset;
  } else if (path.includes('ruleset')) {
    found.id = shownRuleset;
    const match = await store.transaction(({ matches }) => matches.save(apk.id, rulesetId, []));
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
  } else if (path.startsWith('/account/searches/')) {
    found.id = (await byAuthor('/account/searches/', 'POST', { name: randomUUID(), search: 'x' })).body.id;
  } else if (path.startsWith('/account/tokens/')) {
    found.id = (await byAuthor('/account/tokens/', 'POST', {})).body.id;
  }
  if (path.includes('/downloads/')) found.name = `${sha256}.apk`;
  return found;
}

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
  };
  return Object.fromEntries(fields.flatMap((field) => (field in known ? [[field, known[field]]] : [])));
}

const listed = new Map<string, string>(
  Object.entries(table).flatMap(([rule, text]) =>
    text
      .trim()
      .split(/\s{2,}/)
      .map((operation): [string, string] => [operation, rule]),
  ),
);

test('the table names every operation of the OpenAPI document, once, and no other', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`);
  const names = Object.values(table).flatMap((text) => text.trim().split(/\s{2,}/));
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted(), 'listed twice');
  assert.deepEqual(
    documented.filter((name) => !listed.has(name)),
    [],
    'add to the table above who may do it',
  );
  assert.deepEqual(
    [...listed.keys()].filter((name) => !documented.includes(name)),
    [],
    'there is no such operation',
  );
});

test('everybody is let in and refused as the table says', async () => {
  const faults: string[] = [];
  for (const operation of operations) {
    // A stream without an end: who is let in is told in the tests of its own.
    if (operation.path === '/events/') continue;
    const name = `${operation.method} ${operation.path}`;
    const rule = rules[listed.get(name) ?? 'token']!;
    for (const caller of callers) {
      const found = await subjects(operation.path);
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, segment: string) => found[segment] ?? 'nothing');
      const json = bodyOf(operation, caller);
      const settings = { method: operation.method, token: tokens[caller], ...(json === undefined ? {} : { json }) };
      const { status } = await workstation.ask(path, settings);
      const refused = caller === 'nobody' ? (rule.nobody ?? 401) : rule.refuses;
      const isLetIn = status !== 401 && status !== 403 && !(status === 404 && refused === 404);
      const isExpected = rule.lets.includes(caller) ? isLetIn : status === refused;
      if (!isExpected) faults.push(`${name} as ${caller}: ${status}`);
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
