// A catalogue of a million made-up APKs whose names, sizes, signers and reports are spread as in a real one.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { migrations } from '../../server/store/sqlite/migrations/index.ts';
import { migrate } from '../../server/store/sqlite/migrator.ts';
import { ensureMasterKey } from '../../server/vault/master-key.ts';

type Connection = SqliteDatabase.Database;

/** The search index is filled when its tables are made, which takes a tenth of the time of filling it row by row. */
const indexed = migrations.findIndex(({ name }) => name.endsWith('searches-read-an-index'));
/** Later steps are applied when the catalogue is opened. */
const followed = migrations.findIndex(({ name }) => name.endsWith('searches-follow-what-changes'));

const marked = migrations.findIndex(({ name }) => name.endsWith('searches-find-code-and-findings'));

const firstDay = Date.UTC(2024, 0, 1) * 1000;
const common = 'free,game,photo,chat,music,video,player,bank,wallet,camera,editor,flashlight,cleaner,battery,launcher,';
const words = `${common}keyboard,weather,puzzle,racing,whatsapp,browser,messenger,security,antivirus,torch,scanner`;
const permissions = `INTERNET,ACCESS_NETWORK_STATE,WAKE_LOCK,WRITE_EXTERNAL_STORAGE,READ_EXTERNAL_STORAGE,VIBRATE,
ACCESS_WIFI_STATE,RECEIVE_BOOT_COMPLETED,CAMERA,ACCESS_FINE_LOCATION,READ_PHONE_STATE,FOREGROUND_SERVICE,GET_ACCOUNTS,
RECORD_AUDIO,READ_CONTACTS,SYSTEM_ALERT_WINDOW,BLUETOOTH,CALL_PHONE,READ_SMS,RECEIVE_SMS,SEND_SMS,WRITE_SETTINGS,NFC,
READ_CALL_LOG,PROCESS_OUTGOING_CALLS,REQUEST_INSTALL_PACKAGES,BIND_ACCESSIBILITY_SERVICE,WRITE_SMS`.split(/,\s*/);
const filters = `action.MAIN,category.LAUNCHER,category.DEFAULT,action.VIEW,category.BROWSABLE,action.BOOT_COMPLETED,
action.SEND,action.USER_PRESENT,action.PACKAGE_ADDED,category.HOME,action.SCREEN_ON,action.PHONE_STATE`.split(/,\s*/);
const tags = ['banker', 'spyware', 'adware', 'dropper', 'sms', 'ransom', 'rat', 'clean', 'packed', 'reviewed'];

/** The same numbers for the same seed, for ever (xorshift). */
export function dice(seed: number): { below(limit: number): number; popular(limit: number): number } {
  let state = seed | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    // Few are met often and most hardly ever, as Zipf's law has it.
    popular: (limit) => Math.min(limit - 1, Math.floor(limit ** next()) - 1),
  };
}

const syllables =
  `ka,lo,mi,ta,ren,do,vi,su,pra,ne,zon,ber,qui,fla,xo,jun,hem,gra,wy,tel,ba,cor,di,eth,fo,gim,hul,is,jo,kre,
lan,mor,nu,ol,pex,ra,sti,tu,ur,vel,wan,ya,zim,ash,bro,cle,dro,el,fen,go,hi,in,jy,kos,lu,mun,nor,ok,pi,rus`.split(
    /,\s*/,
  );

export interface MadeApp {
  app: string;
  packageName: string;
  company: string;
  /** `[field, text]` of its reports. */
  terms: [string, string][];
  minSdk: number;
  signer: number;
}

/** What stays the same over the versions of an app. */
export function madeApp(seed: number): MadeApp {
  const { below, popular } = dice(seed * 2_654_435_761 + 97);
  const listed = words.split(',');
  const madeUp = () => Array.from({ length: 2 + below(2) }, () => syllables[below(syllables.length)]).join('');
  const word = () => (below(3) === 0 ? listed[popular(listed.length)]! : madeUp());
  const [vendor, product] = [madeUp(), word()];
  const root = ['com', 'com', 'com', 'com', 'com', 'com', 'org', 'net', 'io', 'de'][below(10)]!;
  const packageName = `${root}.${vendor}.${product}${below(4) === 0 ? `.${word()}` : ''}`;
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
  const app = [product, ...Array.from({ length: below(3) }, word)].map(capital).join(' ');
  const company = `${capital(vendor)} ${['Inc', 'Ltd', 'GmbH', 'Studio', ''][below(5)]}`.trim();
  const terms: [string, string][] = [];
  const some = (count: number, make: () => [string, string]) => {
    for (let i = 0; i < count; i++) terms.push(make());
  };
  some(4 + below(8), () => ['permission', `android.permission.${permissions[popular(permissions.length)]}`]);
  some(1 + below(4), () => ['filter', `android.intent.${filters[popular(filters.length)]}`]);
  terms.push(['activity', `${packageName}.MainActivity`]);
  some(below(5), () => ['activity', `${packageName}.${capital(word())}Activity`]);
  some(below(4), () => ['activity', `com.google.android.gms.ads.Screen${popular(60)}`]);
  some(below(3), () => ['service', `${packageName}.${capital(word())}Service`]);
  some(below(2), () => ['service', `com.google.firebase.Service${popular(30)}`]);
  some(below(2), () => ['receiver', `${packageName}.BootReceiver`]);
  some(below(2), () => ['provider', `androidx.core.content.FileProvider`]);
  some(below(3), () => ['url', `https://${madeUp()}.${vendor}.com/${word()}`]);
  some(1 + below(3), () => ['url', `https://cdn${popular(500)}.example.com/v1/config.json`]);
  return { app, packageName, company, terms, minSdk: 14 + popular(20), signer: 1 + popular(60_000) };
}

const hash = (name: string, text: string) => createHash(name).update(text).digest();

/** Tables as they were before there was an index: what comes after builds what it needs from them. */
function fillApks(database: Connection, count: number): { apps: Uint32Array; made: Map<number, MadeApp> } {
  const { below, popular } = dice(count);
  const appCount = Math.max(10, Math.floor(count / 8));
  const apps = new Uint32Array(count + 1);
  const made = new Map<number, MadeApp>();
  const signer = database.prepare('insert into signers (sha256, sha1) values (?, ?)');
  for (let id = 1; id <= 60_000; id++) signer.run(hash('sha256', `signer ${id}`), hash('sha1', `signer ${id}`));
  const apk = database.prepare(`insert into apks (id, sha256, sha1, md5, size, app, package_name, company, version,
    version_code, signer_id, has_icon, is_trusted, is_detected, is_corrupted, is_static_analyzed, is_dynamic_analyzed,
    rating, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const tag = database.prepare('insert or ignore into apk_tags (apk_id, name, created_at) values (?, ?, 0)');
  const span = 86_400_000_000 * 700;
  for (let id = 1; id <= count; id++) {
    const number = popular(appCount) * 31 + below(31);
    let it = made.get(number);
    if (it === undefined) {
      it = madeApp(number);
      made.set(number, it);
    }
    apps[id] = number;
    const name = `apk ${id}`;
    const version = `${1 + popular(12)}.${popular(30)}.${below(10)}`;
    const size = Math.floor(20_000 * 2 ** (below(1300) / 100));
    const at = firstDay + Math.floor((span / count) * id);
    const flag = (percent: number) => Number(below(1000) < percent * 10);
    const analyzed = flag(95);
    apk.run(
      id,
      hash('sha256', name),
      hash('sha1', name),
      hash('md5', name),
      size,
      it.app,
      it.packageName,
      it.company,
      version,
      String(below(9999)),
      it.signer,
      1,
      flag(3),
      flag(9),
      flag(1),
      analyzed,
      analyzed * flag(40),
      below(20) === 0 ? below(12) - 6 : 0,
      at,
      at,
    );
    if (below(4) === 0) tag.run(id, tags[popular(tags.length)]);
    if (below(50) === 0) tag.run(id, `campaign-${popular(3000)}`);
  }
  return { apps, made };
}

/** Rows of the two indexes are written in their order, which takes a tenth of the time. */
function fillTerms(database: Connection, apps: Uint32Array, made: Map<number, MadeApp>): void {
  const ids = new Map<string, number>();
  const termsOf = new Map<number, number[]>();
  const term = database.prepare('insert into search_terms (id, field, text) values (?, ?, ?)');
  for (const [number, { terms }] of made) {
    const list = new Set<number>();
    for (const [field, text] of terms) {
      const key = `${field} ${text}`;
      let id = ids.get(key);
      if (id === undefined) {
        id = ids.size + 1;
        ids.set(key, id);
        term.run(id, field, text);
      }
      list.add(id);
    }
    termsOf.set(number, [...list]);
  }
  const sizes = new Uint32Array(ids.size + 2);
  for (let id = 1; id < apps.length; id++) for (const one of termsOf.get(apps[id]!)!) sizes[one + 1]! += 1;
  for (let one = 1; one < sizes.length; one++) sizes[one]! += sizes[one - 1]!;
  const starts = sizes.slice();
  const members = new Uint32Array(sizes.at(-1)!);
  for (let id = 1; id < apps.length; id++)
    for (const one of termsOf.get(apps[id]!)!) {
      members[starts[one]!] = id;
      starts[one]! += 1;
    }
  const row = database.prepare('insert into apk_terms (term_id, apk_id) values (?, ?)');
  for (let one = 1; one <= ids.size; one++)
    for (let at = sizes[one]!; at < sizes[one + 1]!; at++) row.run(one, members[at]);
  database.exec('insert into indexed_reports (apk_id, created_at) select id, 0 from apks where is_static_analyzed');
}

/** How many different values there are of each field, and how many an APK has at the most. */
const markKinds = [
  { field: 'finding', values: 250, most: 30 },
  { field: 'technique', values: 60, most: 12 },
  { field: 'tracker', values: 300, most: 8 },
] as const;
/** Classes and called methods that APKs are found by. */
const namesOfApk = 40;

/** What reports have in common, and names in their code. */
function fillMarks(database: Connection, count: number): void {
  const { below, popular } = dice(count + 1);
  const term = database.prepare('insert into search_terms (field, text) values (?, ?) returning id').pluck();
  const terms = markKinds.map(({ field, values, most }) => ({
    ids: Array.from({ length: values }, (_, at) => term.get(field, `${field}-${at}`) as number),
    most,
  }));
  const marks = database.prepare('insert into apk_marks (apk_id, terms) values (?, ?)');
  const names = database.prepare('insert into apk_names (rowid, names) values (?, ?)');
  for (let id = 1; id <= count; id++) {
    const own = terms.flatMap(({ ids, most }) => Array.from({ length: below(most) }, () => ids[popular(ids.length)]!));
    marks.run(id, Buffer.from(Uint32Array.from(new Set(own)).buffer));
    const named = Array.from({ length: namesOfApk }, (_, at) =>
      at % 2 === 0
        ? `class:com.${syllables[below(60)]}.app${below(count)}.Class${at}`
        : `api:android.Api${popular(4000)}.call`,
    );
    names.run(id, named.join(' '));
  }
  database.exec(`update apks set risk = case when id % 20 > 0 then (signer_id * 31 + id * 7) % 101 end,
    severity = case when id % 20 > 0 then (signer_id + id) % 5 end, findings_count = id % 30`);
}

async function build(folder: string, count: number): Promise<void> {
  mkdirSync(join(folder), { recursive: true });
  const database = new SqliteDatabase(join(folder, 'catalogue.db'));
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -800000', 'foreign_keys = off'])
    database.pragma(pragma);
  migrate(database, migrations.slice(0, indexed), 0);
  const { apps, made } = database.transaction(() => fillApks(database, count))();
  migrate(database, migrations.slice(0, indexed + 1), 0);
  const byApk = database.prepare("select sql from sqlite_schema where name = 'apk_terms_by_apk'").pluck().get();
  database.exec('drop index apk_terms_by_apk');
  database.transaction(() => fillTerms(database, apps, made))();
  database.exec(byApk as string);
  migrate(database, migrations.slice(0, followed + 1), 0);
  migrate(database, migrations.slice(0, marked + 1), 0);
  database.exec('insert into indexed_reports (apk_id, created_at) select id, 0 from apks where is_static_analyzed');
  const triggers = ['apks_noted_changed', 'apks_index_changed'];
  const statements = database.prepare('select sql from sqlite_schema where name in (?, ?)').pluck().all(triggers);
  database.exec(triggers.map((name) => `drop trigger ${name};`).join(''));
  database.exec('update apks set min_sdk = 14 + signer_id % 13, target_sdk = 21 + (signer_id * 7 + id) % 15');
  database.transaction(() => fillMarks(database, count))();
  database.exec(`${statements.join(';')}; analyze`);
  database.close();
}

/**
 * The data folder of a catalogue with so many APKs (without their files), made where this program has not made it yet.
 * Copy it before writing to it.
 */
export async function largeCatalogue(count: number): Promise<string> {
  const key = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const { name } of migrations.slice(0, marked + 1)) key.update(name);
  const folder = join(tmpdir(), `apk-workstation-bench-catalogue-${count}-${key.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  await build(unfinished, count);
  ensureMasterKey(join(unfinished, 'keys', 'master.key'));
  renameSync(unfinished, folder);
  return folder;
}
