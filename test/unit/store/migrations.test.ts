import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { migrations } from '../../../server/store/sqlite/migrations/index.ts';
import { migrate, pendingMigrations } from '../../../server/store/sqlite/migrator.ts';

/** Written anew by `UPDATE_GOLDEN=1 node --test test/unit/store/migrations.test.ts`. */
const golden = join(import.meta.dirname, '../../golden/store');
const isUpdate = process.env.UPDATE_GOLDEN === '1';
type Schema = Map<string, string>;

function schemaOf(database: SqliteDatabase.Database): Schema {
  const rows = database
    .prepare("select name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid")
    .all() as { name: string; sql: string }[];
  return new Map(rows.map(({ name, sql }) => [name, `${sql.replace(/\n\s*/g, '\n  ').replace(/\n {2}\)/, '\n)')};\n`]));
}

/** The schema after each migration, without what is as it was before it. */
function changesByMigration(): Map<string, string> {
  const database = new SqliteDatabase(':memory:');
  const changes = new Map<string, string>();
  let before: Schema = new Map();
  for (const [index, { name }] of migrations.entries()) {
    migrate(database, migrations.slice(0, index + 1), 0);
    const now = schemaOf(database);
    const added = [...now].filter(([key, sql]) => before.get(key) !== sql).map(([, sql]) => sql);
    const dropped = [...before.keys()].filter((key) => !now.has(key)).map((key) => `-- ${key} is gone\n`);
    changes.set(name, [...dropped, ...added].join(''));
    before = now;
  }
  database.close();
  return changes;
}

test('the SQL of every migration is what was reviewed', () => {
  const changes = changesByMigration();
  if (isUpdate) {
    mkdirSync(golden, { recursive: true });
    for (const [name, sql] of changes) writeFileSync(join(golden, `${name}.sql`), sql);
  }
  assert.deepEqual(readdirSync(golden).toSorted(), [...changes.keys()].map((name) => `${name}.sql`).toSorted());
  for (const [name, sql] of changes) assert.equal(sql, readFileSync(join(golden, `${name}.sql`), 'utf8'), name);
});

test('migrations are named by a number and a sentence, in files of the same name and in the order of their numbers', () => {
  const names = migrations.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    assert.match(name, /^\d{3}(-[a-z0-9]+){3,}$/);
    assert.ok(index === 0 || Number.parseInt(name, 10) > Number.parseInt(names[index - 1]!, 10), name);
  }
  const files = readdirSync(join(import.meta.dirname, '../../../server/store/sqlite/migrations'));
  assert.deepEqual(
    files.filter((file) => file !== 'index.ts').toSorted(),
    names.map((name) => `${name}.ts`).toSorted(),
  );
});

test('a database whose migrations were named by dates lacks none of them', () => {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations, 5);
  database.exec("update migrations set name = '2026-11-21' || substr(name, 4)");
  assert.deepEqual(pendingMigrations(database, migrations), []);
  database.close();
});

test('migrating twice changes nothing, and a migration that fails leaves nothing of itself', () => {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations, 5);
  const schema = schemaOf(database);
  const salt = database.prepare('select id_salt from installation').pluck().get();
  migrate(database, migrations, 6);
  assert.deepEqual(schemaOf(database), schema);
  assert.equal(database.prepare('select id_salt from installation').pluck().get(), salt);
  const failing = {
    name: '999-a-step-that-fails',
    apply: () => {
      database.exec('create table half_done (id integer)');
      throw new Error('no');
    },
  };
  assert.throws(() => migrate(database, [...migrations, failing], 7), /no/);
  assert.deepEqual(schemaOf(database), schema);
  database.close();
});

test('001-an-installation-has-settings-and-secrets: there is exactly one installation', () => {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations.slice(0, 1), 1234);
  assert.equal(database.prepare('select created_at from installation').pluck().get(), 1234);
  const second = "insert into installation (id, id_salt, signing_secret, created_at) values (2, '', x'', 0)";
  assert.throws(() => database.exec(second), /CHECK constraint/);
});

test('002-accounts-sign-in-with-tokens: tokens and usage go with their account', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations.slice(0, 2), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into tokens (account_id, kind, name, secret_sha256, created_at) values (1, 'api', '', x'00', 0);
    insert into limit_usage (account_id, name, window_start, used) values (1, 'apk-search', 0, 1);
    delete from accounts;
  `);
  assert.equal(database.prepare('select count(*) from tokens').pluck().get(), 0);
  assert.equal(database.prepare('select count(*) from limit_usage').pluck().get(), 0);
  assert.equal(database.prepare('select count(*) from group_limits').pluck().get(), 30);
});

test('003-the-catalogue-holds-apks-and-reports: an APK outlives its uploader', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations.slice(0, 3), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into apks (sha256, sha1, md5, size, uploader_id, created_at, updated_at) values (x'01', x'02', x'03', 4, 1, 5, 6);
    delete from accounts;
  `);
  assert.deepEqual(database.prepare('select size, uploader_id, file_state from apks').get(), {
    size: 4,
    uploader_id: null,
    file_state: 'ok',
  });
});

test('004-jobs-wait-in-a-durable-queue: an APK has one open job of a kind', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = off');
  migrate(database, migrations.slice(0, 4), 0);
  const insert = (status: string) =>
    database
      .prepare(
        "insert into jobs (kind, apk_id, payload, priority, is_automatic, status, created_at) values ('static', 1, 'null', 1, 1, ?, 0)",
      )
      .run(status);
  insert('done');
  insert('failed');
  insert('queued');
  assert.throws(() => insert('running'), /UNIQUE constraint/);
});

test('005-analysts-judge-apks-together: what was said and found about an APK goes with it', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations.slice(0, 5), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into rulesets (id, author_id, name, folded_name, is_enabled, is_public, is_notifier, created_at, updated_at)
      values (1, 1, 'Bank', 'bank', 1, 1, 1, 0, 0);
    insert into votes (apk_id, account_id, kind, created_at) values (1, 1, 'negative', 0);
    insert into matches (id, apk_id, ruleset_id, rules, created_at, updated_at) values (1, 1, 1, '[]', 0, 0);
    insert into match_rules (match_id, name) values (1, 'steals');
    insert into detections (apk_id, kind, ruleset_id, information, created_at, updated_at) values (1, 'ruleset', 1, '{}', 0, 0);
    insert into comments (author_id, apk_id, text, created_at, updated_at) values (1, 1, 'bad', 0, 0);
  `);
  assert.throws(
    () => database.exec("insert into votes (apk_id, account_id, kind, created_at) values (1, 1, 'positive', 0)"),
    /UNIQUE/,
  );
  const onTwo =
    'insert into comments (author_id, apk_id, ruleset_id, text, created_at, updated_at) values (1, 1, 1, ?, 0, 0)';
  assert.throws(() => database.prepare(onTwo).run('both'), /CHECK/);
  database.exec('delete from apks');
  for (const table of ['votes', 'matches', 'match_rules', 'detections', 'comments']) {
    assert.equal(database.prepare(`select count(*) from ${table}`).pluck().get(), 0, table);
  }
  assert.equal(database.prepare('select count(*) from rulesets').pluck().get(), 1);
});

test('006-analysts-follow-and-are-notified: nobody follows himself, and what tells of an APK goes with it', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '006-analysts-follow-and-are-notified');
  migrate(database, migrations.slice(0, index + 1), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into notifications (account_id, type, apk_id, created_at) values (1, 'analysis_completed', 1, 0);
  `);
  const oneself = 'insert into follows (follower_id, followed_id, created_at) values (1, 1, 0)';
  assert.throws(() => database.exec(oneself), /CHECK/);
  database.exec('delete from apks');
  assert.equal(database.prepare('select count(*) from notifications').pluck().get(), 0);
  assert.equal(database.prepare("select amount from group_limits where name = 'analysts'").pluck().get(), 500);
});

test('007-older-clients-vote-on-rulesets: votes go with their ruleset, and there is one per account', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '007-older-clients-vote-on-rulesets');
  migrate(database, migrations.slice(0, index + 1), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into rulesets (id, author_id, name, folded_name, is_enabled, is_public, is_notifier, created_at, updated_at)
      values (1, 1, 'Bank', 'bank', 1, 1, 1, 0, 0);
  `);
  const vote = "insert into ruleset_votes (ruleset_id, account_id, kind, created_at) values (1, 1, 'negative', 0)";
  database.exec(vote);
  assert.throws(() => database.exec(vote), /UNIQUE/);
  database.exec('delete from rulesets');
  assert.equal(database.prepare('select count(*) from ruleset_votes').pluck().get(), 0);
});

test('008-feeds-come-in-packages: a package is of a known feed and length', () => {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations, 0);
  const insert = (feed: string, length: string) =>
    database
      .prepare(
        'insert into feed_packages (feed_type, package_type, starts_at, members, created_at) values (?, ?, 0, 0, 0)',
      )
      .run(feed, length);
  insert('apks', '1-hour');
  assert.throws(() => insert('comments', '1-hour'), /CHECK constraint/);
  assert.throws(() => insert('apks', '1-day'), /CHECK constraint/);
});

test('012-feeds-tell-of-every-change: what detections said until then is kept', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '012-feeds-tell-of-every-change');
  migrate(database, migrations.slice(0, index), 0);
  database.exec(`
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into detections (apk_id, kind, information, created_at, updated_at) values (1, 'community', '{"a":1}', 10, 20);
    insert into detections (apk_id, kind, antivirus, information, created_at, updated_at) values (1, 'antivirus', 'X', '{}', 30, 30);
  `);
  migrate(database, migrations.slice(0, index + 1), 0);
  const changes = database.prepare('select kind, information, changed_at from detection_changes order by changed_at');
  assert.deepEqual(changes.raw().all(), [
    ['community', '{"a":1}', 10],
    ['community', '{"a":1}', 20],
    ['antivirus', '{}', 30],
  ]);
  database.exec('delete from apks');
  assert.deepEqual(changes.all(), []);
});

test('016-analysts-show-a-picture: a picture goes with its account', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations, 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into avatars (account_id, media_type, content, created_at) values (1, 'image/png', x'00', 0);
  `);
  assert.equal(database.prepare('select avatar_sha256 from accounts').pluck().get(), null);
  database.exec('delete from accounts');
  assert.equal(database.prepare('select count(*) from avatars').pluck().get(), 0);
});

test('021-accounts-take-turns-in-the-job-queue: what waits is a turn of who asked first', () => {
  const database = new SqliteDatabase(':memory:');
  const index = migrations.findIndex(({ name }) => name === '021-accounts-take-turns-in-the-job-queue');
  migrate(database, migrations.slice(0, index), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values
      (1, 'ada', 'owner', 'workstation', '{}', 0), (2, 'bob', 'analyst', 'basic', '{}', 0);
    insert into jobs (id, kind, payload, priority, is_automatic, status, created_at) values
      (1, 'dry_run', 'null', 1, 0, 'queued', 0), (2, 'bulk', 'null', 1, 1, 'queued', 0), (3, 'bulk', 'null', 1, 0, 'done', 0);
    insert into job_requests (job_id, account_id, created_at, is_by_upload) values (1, 1, 9, 0), (1, 2, 8, 0), (3, 1, 8, 0);
  `);
  migrate(database, migrations.slice(0, index + 1), 0);
  assert.deepEqual(database.prepare('select account_id from jobs order by id').pluck().all(), [2, 0, 0]);
  database.close();
});

test('027-analysts-say-what-an-apk-is: words go with their APK, and stay readable where an account is gone', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '027-analysts-say-what-an-apk-is');
  migrate(database, migrations.slice(0, index), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
  `);
  migrate(database, migrations.slice(0, index + 1), 0);
  assert.deepEqual(database.prepare('select verdict, family from apks').raw().all(), [['unknown', '']]);
  const say = (verdict: string) =>
    database
      .prepare("insert into verdicts (apk_id, account_id, username, verdict, created_at) values (1, 1, 'ada', ?, 0)")
      .run(verdict);
  say('malicious');
  assert.throws(() => say('evil'), /CHECK/);
  database.exec('delete from accounts');
  const words = database.prepare('select account_id, username, verdict from verdicts').raw();
  assert.deepEqual(words.all(), [[null, 'ada', 'malicious']]);
  database.exec('delete from apks');
  assert.deepEqual(words.all(), []);
  database.close();
});

test('028-findings-are-dismissed: a dismissal is about one thing in one scope, and goes with its APK or ruleset', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '028-findings-are-dismissed');
  migrate(database, migrations.slice(0, index + 1), 0);
  database.exec(`
    insert into accounts (id, username, role, api_group, settings, created_at) values (1, 'ada', 'owner', 'workstation', '{}', 0);
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into rulesets (id, author_id, name, folded_name, is_enabled, is_public, is_notifier, created_at, updated_at)
      values (1, 1, 'Bank', 'bank', 1, 1, 1, 0, 0);
  `);
  const dismiss = (columns: string, values: string) =>
    database.exec(
      `insert into dismissals (${columns}, reason, username, created_at) values (${values}, 'why', 'ada', 0)`,
    );
  dismiss('finding, scope, apk_id', "'code-x', 'apk', 1");
  dismiss('ruleset_id, rule, scope', "1, 'steals', 'everywhere'");
  dismiss('finding, scope, library', "'code-x', 'library', 'com.ads'");
  assert.throws(() => dismiss('finding, scope', "'code-x', 'apk'"), /CHECK/);
  assert.throws(() => dismiss('finding, ruleset_id, rule, scope', "'code-x', 1, 'steals', 'everywhere'"), /CHECK/);
  assert.throws(() => dismiss('ruleset_id, scope', "1, 'everywhere'"), /CHECK/);
  database.exec('delete from apks; delete from rulesets');
  assert.deepEqual(database.prepare('select scope from dismissals').pluck().all(), ['library']);
  database.close();
});

test('032-searches-find-code-and-findings: what was analysed before is indexed again, and names go with their APK', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const place = migrations.findIndex(({ name }) => name === '032-searches-find-code-and-findings');
  migrate(database, migrations.slice(0, place), 0);
  database.exec(`
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into indexed_reports values (1, 0);
  `);
  migrate(database, migrations.slice(0, place + 1), 0);
  assert.deepEqual(database.prepare('select * from indexed_reports').all(), []);
  const counts = 'select findings_count, techniques_count, trackers_count from apks';
  assert.deepEqual(database.prepare(counts).raw().get(), [null, null, null]);
  database.exec(`
    insert into apk_marks values (1, x'01000000');
    insert into apk_names (rowid, names) values (1, 'class:com.example.Main api:a.B.<init>');
  `);
  const found = database.prepare('select rowid from apk_names where apk_names match ?').pluck();
  assert.deepEqual(found.all('"class:com.example.main"'), [1]);
  assert.deepEqual(found.all('"api:a.B.<init>"'), [1]);
  assert.deepEqual(found.all('"main"'), []);
  database.exec('delete from apks');
  assert.deepEqual(found.all('"class:com.example.main"'), []);
  assert.deepEqual(database.prepare('select * from apk_marks').all(), []);
});

test('033-matches-are-noted-for-searches: the search thread hears of matches that come, change and go', () => {
  const database = new SqliteDatabase(':memory:');
  migrate(database, migrations, 0);
  database.pragma('foreign_keys = off');
  const changes = () => database.prepare("select count(*) from apk_changes where part = 'row'").pluck().get() as number;
  const steps = [
    "insert into matches (id, apk_id, ruleset_id, rules, created_at, updated_at) values (1, 1, 1, '[]', 0, 0)",
    'update matches set updated_at = 1',
    'delete from matches',
  ];
  for (const step of steps) {
    const before = changes();
    database.exec(step);
    assert.equal(changes(), before + 1, step);
  }
  database.close();
});

test('029-what-is-deleted-lies-in-a-trash: an item has its pieces, which go with it, and one APK lies there once', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  const index = migrations.findIndex(({ name }) => name === '029-what-is-deleted-lies-in-a-trash');
  migrate(database, migrations.slice(0, index + 1), 0);
  const lay = (values: string) =>
    database.exec(
      `insert into trash (kind, row_id, sha256, name, size, username, deleted_at) values (${values}, 'A', 1, 'ada', 0)`,
    );
  lay("'apk', 1, x'01'");
  assert.throws(() => lay("'apk', 1, x'02'"), /UNIQUE/);
  assert.throws(() => lay("'apk', 2, x'01'"), /UNIQUE/);
  assert.throws(() => lay("'apk', 3, null"), /CHECK/);
  assert.throws(() => lay("'ruleset', 1, null"), /CHECK/);
  database.exec("insert into trash_pieces (trash_id, is_root, content) values (1, 1, x'00'); delete from trash");
  assert.equal(database.prepare('select count(*) from trash_pieces').pluck().get(), 0);
  database.close();
});

test('030-apks-carry-a-risk: an APK of before has none yet, and no score beyond its scale is kept', () => {
  const database = new SqliteDatabase(':memory:');
  const place = migrations.findIndex(({ name }) => name === '030-apks-carry-a-risk');
  migrate(database, migrations.slice(0, place), 0);
  database.exec(
    "insert into apks (sha256, sha1, md5, size, created_at, updated_at) values (x'01', x'02', x'03', 4, 5, 6)",
  );
  migrate(database, migrations.slice(0, place + 1), 0);
  assert.deepEqual(database.prepare('select size, risk, severity from apks').get(), {
    size: 4,
    risk: null,
    severity: null,
  });
  database.exec('update apks set risk = 100, severity = 4');
  assert.throws(() => database.exec('update apks set risk = 101'), /CHECK constraint/);
  assert.throws(() => database.exec('update apks set severity = 5'), /CHECK constraint/);
});

test('036-apks-tell-their-damage-and-names: nobody knows what is wrong with a corrupted APK of before, which is looked for', () => {
  const database = new SqliteDatabase(':memory:');
  const place = migrations.findIndex(({ name }) => name === '036-apks-tell-their-damage-and-names');
  migrate(database, migrations.slice(0, place), 0);
  database.exec(
    "insert into apks (sha256, sha1, md5, size, is_corrupted, created_at, updated_at) values (x'01', x'02', x'03', 4, 1, 5, 6)",
  );
  migrate(database, migrations.slice(0, place + 1), 0);
  assert.deepEqual(database.prepare('select damage, file_names from apks').raw().all(), [[null, '[]']]);
  const plan = database
    .prepare('explain query plan select id from apks where is_corrupted = 1 and damage is null')
    .all();
  assert.match(JSON.stringify(plan), /apks_with_untold_damage/);
  assert.throws(() => database.exec("update apks set damage = 'bad luck'"), /CHECK constraint/);
});

test('038-names-in-code-wait-for-what-is-in-the-trash: they go with an APK that is in no trash, else with its item', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations, 0);
  const named = () => database.prepare('select rowid from apk_names where apk_names match \'"a.B"\'').pluck().all();
  for (const id of [1, 2, 3])
    database.exec(`
      insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (${id}, x'0${id}', x'00', x'00', 1, ${id}, 0);
      insert into apk_names (rowid, names) values (${id}, 'a.B');
    `);
  database.exec('delete from apks where id = 1');
  assert.deepEqual(named(), [2, 3]);
  for (const id of [2, 3])
    database.exec(`insert into trash (kind, row_id, sha256, name, size, username, deleted_at)
      values ('apk', ${id}, x'0${id}', '', 1, '', 0)`);
  database.exec('delete from apks where id = 2');
  assert.deepEqual(named(), [2, 3]);
  database.exec('delete from trash');
  assert.deepEqual(named(), [3]);
  database.close();
});

test('039-files-that-came-out-of-apks-are-analysed: each once for its APK, and with it they go', () => {
  const database = new SqliteDatabase(':memory:');
  database.pragma('foreign_keys = on');
  migrate(database, migrations, 0);
  database.exec(`
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'00', x'00', 1, 1, 0);
    insert into children (apk_id, sha256, described, status, engine_version) values (1, 'ab', '{}', 'waiting', 3);
  `);
  assert.throws(
    () =>
      database.exec(
        "insert into children (apk_id, sha256, described, status, engine_version) values (1, 'ab', '{}', 'done', 3)",
      ),
    /UNIQUE/,
  );
  const plan = database.prepare('explain query plan select id from children where apk_id = 1').all();
  assert.match(JSON.stringify(plan), /USING .*INDEX/);
  database.exec('delete from apks');
  assert.deepEqual(database.prepare('select count(*) from children').pluck().get(), 0);
  database.close();
});

test('042-apks-keep-the-note-of-their-verdict: that of the newest', () => {
  const database = new SqliteDatabase(':memory:');
  const place = migrations.findIndex(({ name }) => name === '042-apks-keep-the-note-of-their-verdict');
  migrate(database, migrations.slice(0, place), 0);
  database.exec(`
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at)
      values (1, x'01', x'02', x'03', 4, 5, 6), (2, x'02', x'03', x'04', 5, 6, 7);
    insert into verdicts (apk_id, username, verdict, note, created_at)
      values (1, 'ada', 'clean', 'first', 0), (1, 'ben', 'malicious', 'last', 1);
  `);
  migrate(database, migrations.slice(0, place + 1), 0);
  assert.deepEqual(database.prepare('select note from apks order by id').pluck().all(), ['last', '']);
  database.close();
});

test('041-apks-count-libraries-calls-and-hosts: what was analysed before is indexed again', () => {
  const database = new SqliteDatabase(':memory:');
  const place = migrations.findIndex(({ name }) => name === '041-apks-count-libraries-calls-and-hosts');
  migrate(database, migrations.slice(0, place), 0);
  database.exec(`
    insert into apks (id, sha256, sha1, md5, size, created_at, updated_at) values (1, x'01', x'02', x'03', 4, 5, 6);
    insert into indexed_reports values (1, 0);
  `);
  migrate(database, migrations.slice(0, place + 1), 0);
  assert.deepEqual(database.prepare('select * from indexed_reports').all(), []);
  const counts = 'select libraries_count, apis_count, hosts_count from apks';
  assert.deepEqual(database.prepare(counts).raw().get(), [null, null, null]);
});
