// The functions of the modules androguard, cuckoo, droidbox and file, evaluated on an APK's reports. Knows nothing of rules' syntax.
import type { AndroguardReport, CuckooReport } from '../../../contract/engine/reports.ts';
import { nearestName } from '../language/nearest-name.ts';
import type { DexLoop } from '../rewriting/dex-loops.ts';
import type { TextComparison } from '../rewriting/text-comparisons.ts';
import { boundedSearch } from './bounded-search.ts';
import { bytesOf, endOfMatch, type RuleRegexp, regexpOf, regexpProblem, type TextPattern } from './report-search.ts';

/** What is known of an APK; null where an analysis has not been made. */
export interface ModuleReports {
  androguard: AndroguardReport | null;
  cuckoo: CuckooReport | null;
  /** In DroidBox's keys. */
  droidbox: Record<string, unknown> | null;
}

export type ModuleArgument =
  | { kind: 'text'; value: string }
  | ({ kind: 'regexp' } & RuleRegexp)
  | { kind: 'number'; value: number };

/** One call in a ruleset: `androguard.url` with its arguments; none for a number like `androguard.min_sdk`. */
export interface ModuleCall {
  path: string;
  arguments: ModuleArgument[];
  /** What `dex.loop` stands for. */
  loop?: DexLoop;
  /** The comparison that the call stands for, where it stands for more than the text itself. */
  comparison?: TextComparison;
}

type Values = (reports: ModuleReports) => readonly unknown[];
type ModuleMember =
  | { kind: 'number'; value(reports: ModuleReports): unknown }
  /** `s` a text, `r` a regular expression, `i` an integer. */
  | { kind: 'match'; accepts: readonly ('s' | 'r' | 'ri')[]; values: Values };

const members = new Map<string, ModuleMember>();

export const originalModules: ReadonlySet<string> = new Set(['androguard', 'cuckoo', 'droidbox', 'file']);

function defineNumber(path: string, value: (reports: ModuleReports) => unknown): void {
  members.set(path, { kind: 'number', value });
}

function defineMatch(path: string, accepts: readonly ('s' | 'r' | 'ri')[], values: Values): void {
  members.set(path, { kind: 'match', accepts, values });
}

const textOrRegexp = ['s', 'r'] as const;

/** A list that a report of another version lacks counts as empty. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (list: unknown, ...fields: string[]): unknown[] =>
  listOf(list).flatMap((record) =>
    typeof record === 'object' && record !== null
      ? fields.map((field) => (record as Record<string, unknown>)[field])
      : [],
  );

const androguardMatches: Record<string, (report: AndroguardReport) => readonly unknown[]> = {
  package_name: (report) => [report.package_name],
  app_name: (report) => [report.app_name],
  activity: (report) => report.activities,
  main_activity: (report) => [report.main_activity],
  service: (report) => report.services,
  receiver: (report) => report.receivers,
  provider: (report) => report.providers,
  filter: (report) => report.filters,
  url: (report) => report.urls,
  permission: (report) => [...listOf(report.permissions), ...listOf(report.new_permissions)],
  displayed_version: (report) => [report.displayed_version],
  version_code: (report) => [report.version_code],
  'certificate.issuer': (report) => [report.certificate?.issuerDN],
  'certificate.subject': (report) => [report.certificate?.subjectDN],
  'certificate.not_before': (report) => [report.certificate?.not_before],
  'certificate.not_after': (report) => [report.certificate?.not_after],
};
for (const [name, values] of Object.entries(androguardMatches)) {
  defineMatch(`androguard.${name}`, textOrRegexp, ({ androguard }) => (androguard === null ? [] : values(androguard)));
}
/** Every value of the static report that functions of rules look at, by their paths. */
export function* androguardValues(report: AndroguardReport): Generator<[path: string, value: string]> {
  const { sha1 } = report.certificate ?? {};
  yield ['androguard.certificate.sha1', plainDigest(typeof sha1 === 'string' ? sha1 : '')];
  for (const [name, values] of Object.entries(androguardMatches)) {
    for (const value of listOf(values(report))) if (typeof value === 'string') yield [`androguard.${name}`, value];
  }
}

defineMatch('androguard.certificate.sha1', ['s'], ({ androguard }) => [androguard?.certificate?.sha1]);

defineNumber('androguard.min_sdk', ({ androguard }) => androguard?.min_sdk_version);
defineNumber('androguard.max_sdk', ({ androguard }) => androguard?.max_sdk_version);
defineNumber('androguard.target_sdk', ({ androguard }) => androguard?.target_sdk_version);
// The original counts both lists, each as it is.
defineNumber(
  'androguard.permissions_number',
  ({ androguard }) => listOf(androguard?.permissions).length + listOf(androguard?.new_permissions).length,
);
for (const list of ['activities', 'services', 'receivers', 'providers', 'filters', 'permissions'] as const) {
  defineNumber(`androguard.number_of_${list}`, ({ androguard }) => listOf(androguard?.[list]).length);
}

/** By the name in rules, the name in reports. */
const functionalities = {
  sms: 'SMS',
  mms: 'MMS',
  account: 'accounts',
  browser: 'browser_history',
  dynamic_broadcast: 'dynamicbroadcastreceiver',
  installed_app: 'installedapplications',
  phone_number: 'phonenumber',
  phone_call: 'phonecall',
  run_binary: 'runbinary',
  ads: 'ads',
  camera: 'camera',
  crypto: 'crypto',
  iccid: 'iccid',
  imei: 'imei',
  imsi: 'imsi',
  mcc: 'mcc',
  sensor: 'sensor',
  serialno: 'serialno',
  socket: 'socket',
  ssl: 'ssl',
} as const;
for (const [name, key] of Object.entries(functionalities) as [string, (typeof functionalities)['sms']][]) {
  for (const field of ['class', 'method', 'code']) {
    defineMatch(`androguard.functionality.${name}.${field}`, textOrRegexp, ({ androguard }) =>
      fieldsOf(androguard?.functionalities?.[key], field),
    );
  }
}

/** Bytes that are no text stand in reports in lower-case hex; rules ask for them in either case. */
const dataOf = (list: unknown): unknown[] =>
  fieldsOf(list, 'data').flatMap((data) =>
    typeof data === 'string' && /^(?:[\da-f]{2})+$/.test(data) ? [data, data.toUpperCase()] : [data],
  );

defineMatch('droidbox.sendsms', textOrRegexp, ({ droidbox }) => fieldsOf(droidbox?.sendsms, 'number'));
defineMatch('droidbox.phonecall', textOrRegexp, ({ droidbox }) => fieldsOf(droidbox?.phonecalls, 'number'));
defineMatch('droidbox.library', textOrRegexp, ({ droidbox }) => fieldsOf(droidbox?.libraries, 'name'));
defineMatch('droidbox.written.filename', textOrRegexp, ({ droidbox }) => fieldsOf(droidbox?.fileswritten, 'name'));
defineMatch('droidbox.written.data', textOrRegexp, ({ droidbox }) => dataOf(droidbox?.fileswritten));
defineMatch('droidbox.read.filename', textOrRegexp, ({ droidbox }) => fieldsOf(droidbox?.filesread, 'name'));
defineMatch('droidbox.read.data', textOrRegexp, ({ droidbox }) => dataOf(droidbox?.filesread));

for (const digest of ['md5', 'sha1', 'sha256'] as const) {
  defineMatch(`file.${digest}`, ['s'], ({ cuckoo }) => [cuckoo?.target?.file?.[digest]]);
}
defineNumber('file.size', ({ cuckoo }) => cuckoo?.target?.file?.size);

const httpOf = ({ cuckoo }: ModuleReports, ...methods: string[]): unknown[] =>
  fieldsOf(
    listOf(cuckoo?.network?.http).filter((record) =>
      methods.includes(String((record as Record<string, unknown> | null)?.method).toUpperCase()),
    ),
    'uri',
  );
defineMatch('cuckoo.network.dns_lookup', ['r'], ({ cuckoo }) => [
  ...fieldsOf(cuckoo?.network?.dns, 'request'),
  ...fieldsOf(cuckoo?.network?.domains, 'domain'),
]);
defineMatch('cuckoo.network.http_request', ['r'], (reports) => httpOf(reports, 'GET', 'POST'));
defineMatch('cuckoo.network.http_get', ['r'], (reports) => httpOf(reports, 'GET'));
defineMatch('cuckoo.network.http_post', ['r'], (reports) => httpOf(reports, 'POST'));
defineMatch('cuckoo.network.http_user_agent', ['r'], ({ cuckoo }) => fieldsOf(cuckoo?.network?.http, 'user-agent'));
defineMatch('cuckoo.network.host', ['r'], ({ cuckoo }) => listOf(cuckoo?.network?.hosts));
// With a port as the second argument; the records themselves, so that address and port are looked at together.
defineMatch('cuckoo.network.tcp', ['ri'], ({ cuckoo }) => listOf(cuckoo?.network?.tcp));
defineMatch('cuckoo.network.udp', ['ri'], ({ cuckoo }) => listOf(cuckoo?.network?.udp));
defineMatch('cuckoo.registry.key_access', ['r'], ({ cuckoo }) => listOf(cuckoo?.behavior?.summary?.keys));
defineMatch('cuckoo.filesystem.file_access', ['r'], ({ cuckoo }) => listOf(cuckoo?.behavior?.summary?.files));
defineMatch('cuckoo.sync.mutex', ['r'], ({ cuckoo }) => listOf(cuckoo?.behavior?.summary?.mutexes));

const memberWords = [...members.keys()].map((path) => path.split('.'));

/** Why the call cannot be made, or null: an unknown name, arguments of the wrong kind, a broken regular expression. */
export function callProblem({ path, arguments: given }: ModuleCall, isCall: boolean): string | null {
  const member = members.get(path);
  if (member === undefined) {
    const nearest = nearestName(path, memberWords);
    return `unknown field or function \`${path}\`${nearest === null ? '' : `; \`${nearest}\` may be meant`}`;
  }
  if (member.kind === 'number') return isCall ? `\`${path}\` is a number, not a function` : null;
  if (!isCall) return `\`${path}\` is a function: it needs an argument`;
  const kinds = given.map(({ kind }) => (kind === 'number' ? 'i' : kind === 'text' ? 's' : 'r')).join('');
  if (!member.accepts.some((accepted) => accepted === kinds)) {
    const wanted = member.accepts.map(
      (accepted) => ({ s: 'a text', r: 'a regular expression', ri: 'a regular expression and a port' })[accepted],
    );
    return `wrong arguments: \`${path}\` takes ${wanted.join(' or ')}, written out`;
  }
  const regexp = given.find((argument) => argument.kind === 'regexp');
  return regexp === undefined ? null : regexpProblem(regexp);
}

/**
 * Evaluates calls on the reports of one APK: 1 or 0 for a function, the number itself for a number, 0 where it is missing.
 * A call that several rulesets make is evaluated once. It throws ScanTimeout for a regular expression that takes too long.
 */
export function callEvaluator(reports: ModuleReports): (name: string, call: ModuleCall) => number {
  const known = new Map<string, number>();
  const values = new Map<string, ComparableValues>();
  return (name, call) => {
    let result = known.get(name);
    if (result === undefined) {
      result = evaluateWith(call, reports, values);
      known.set(name, result);
    }
    return result;
  };
}

/** The values of one member in the forms that they are compared in, made once for all calls. */
class ComparableValues {
  readonly all: readonly unknown[];
  #lowerCase: Set<string> | null = null;
  #bytes: string[] | null = null;

  constructor(all: readonly unknown[]) {
    this.all = all;
  }

  get lowerCase(): ReadonlySet<string> {
    this.#lowerCase ??= new Set(this.#texts().map((text) => text.toLowerCase()));
    return this.#lowerCase;
  }

  /** One character a byte, each value once. */
  get bytes(): readonly string[] {
    this.#bytes ??= [...new Set(this.#texts())].map(bytesOf);
    return this.#bytes;
  }

  #texts(): string[] {
    return this.all.filter((value) => typeof value === 'string');
  }
}

function evaluateWith(
  { path, arguments: given }: ModuleCall,
  reports: ModuleReports,
  known: Map<string, ComparableValues>,
): number {
  const member = members.get(path);
  if (member === undefined) return 0;
  if (member.kind === 'number') return integerOf(member.value(reports));
  const [pattern, port] = given;
  if (pattern === undefined) return 0;
  let values = known.get(path);
  if (values === undefined) {
    values = new ComparableValues(listOf(member.values(reports)));
    known.set(path, values);
  }
  if (path.endsWith('certificate.sha1')) return values.all.some(digestMatcher(pattern)) ? 1 : 0;
  if (pattern.kind !== 'regexp') return values.lowerCase.has(String(pattern.value).toLowerCase()) ? 1 : 0;
  if (values.all.length === 0) return 0;
  const regexp = regexpOf(pattern);
  const { all, bytes } = values;
  const search =
    port?.kind === 'number'
      ? () => all.some((value) => connectsTo(value, regexp, port.value))
      : () => bytes.some((value) => endOfMatch(regexp, value) > 0);
  return boundedSearch([regexp], search) ? 1 : 0;
}

/** Older reports have numbers as texts; 0 for anything else. */
function integerOf(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return Number.isSafeInteger(number) ? (number as number) : 0;
}

function connectsTo(value: unknown, regexp: TextPattern, port: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  if (Number(record.dport ?? record.port) !== port) return false;
  const hosts = [record.dst, record.dst_domain, record.host];
  return hosts.some((host) => typeof host === 'string' && endOfMatch(regexp, bytesOf(host)) > 0);
}

function digestMatcher(pattern: ModuleArgument): (value: unknown) => boolean {
  const wanted = pattern.kind === 'text' ? plainDigest(pattern.value) : '';
  return (value) => typeof value === 'string' && plainDigest(value) === wanted;
}

/** As it is compared: without regard to case and colons. */
export const plainDigest = (text: string): string => text.replaceAll(':', '').toLowerCase();
