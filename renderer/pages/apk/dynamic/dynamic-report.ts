// The dynamic report as rows of one shape, by part. Knows its keys; every value in it is the app's.
import { detailsOf, isRecord, numberOf, stringsOf, taintName, textOf } from './entry-details.ts';
import { dynamicTexts } from './texts.ts';

export interface BehaviourRow {
  /** The key of the report that it stands under. */
  operation: string;
  /** A file, host, number, algorithm … */
  subject: string;
  /** What was written, sent, encrypted … */
  data: string;
  /** Seconds since the start, null where the report does not say. */
  time: number | null;
  tags: string[];
  /** Calls that the data went through, from its source to where it left. */
  path: string[];
  /** Hash under which the bytes are kept; null where none are. */
  artefact: string | null;
}

export type BehaviourPart =
  | 'network'
  | 'files'
  | 'sms'
  | 'crypto'
  | 'texts'
  | 'leaks'
  | 'code'
  | 'log'
  | 'artefacts'
  | 'rest';

const partOf: Record<string, BehaviourPart> = {
  sendnet: 'network',
  recvnet: 'network',
  opennet: 'network',
  closenet: 'network',
  dns: 'network',
  http: 'network',
  fileswritten: 'files',
  filesread: 'files',
  filesopen: 'files',
  filesdeleted: 'files',
  sendsms: 'sms',
  phonecalls: 'sms',
  cryptousage: 'crypto',
  decoded: 'texts',
  comparisons: 'texts',
  dataleaks: 'leaks',
  dexclass: 'code',
  libraries: 'code',
  servicestart: 'code',
  recvsaction: 'code',
  enfperm: 'code',
  commands: 'code',
  log: 'log',
  crashes: 'log',
  artefacts: 'artefacts',
};
/** Shown by views of their own. */
const separate = new Set([
  'timeline',
  'screens',
  'coverage',
  'unmodelled',
  'limits',
  'engine',
  'findings',
  'indicators',
]);
/** Longer lists are cut: a hostile app may write without end. */
const maxRows = 20_000;

function addressOf(host: unknown, port: unknown): string {
  const name = textOf(host);
  return name === '' || port === undefined ? name : `${name}:${textOf(port)}`;
}

function rowOf(operation: string, entry: unknown): BehaviourRow {
  if (!isRecord(entry)) {
    return { operation, subject: textOf(entry), data: '', time: null, tags: [], path: [], artefact: null };
  }
  const subject =
    [
      addressOf(entry.desthost ?? entry.host, entry.destport ?? entry.port),
      addressOf(entry.srchost, entry.srcport),
      [operation === 'http' ? textOf(entry.method) : '', textOf(entry.url ?? entry.uri)].filter(Boolean).join(' '),
      textOf(entry.hostname),
      textOf(entry.number),
      [textOf(entry.sink), textOf(entry.target)].filter(Boolean).join(' → '),
      textOf(entry.exception),
      textOf(entry.command),
      textOf(entry.permission),
      operation === 'log' ? textOf(entry.message) : '',
      [textOf(entry.operation), textOf(entry.algorithm)].filter(Boolean).join(' '),
      textOf(entry.name),
      Array.isArray(entry.path) ? '' : textOf(entry.path),
      textOf(entry.action),
      textOf(entry.text),
      textOf(entry.sha256),
    ].find((text) => text !== '') ?? '';
  return {
    operation,
    subject,
    data: detailsOf(operation, entry).join('\n'),
    time: numberOf(entry.time),
    tags: [...new Set([...stringsOf(entry.dataleak), ...stringsOf(entry.tags)])],
    path: Array.isArray(entry.path) ? entry.path.map(textOf) : [],
    artefact: operation === 'artefacts' && /^[\da-f]{64}$/.test(textOf(entry.sha256)) ? textOf(entry.sha256) : null,
  };
}

/** Every row by its part, each part in the order of time. Rows of other parts that carry tags count as leaks too. */
export function behaviourOf(report: Record<string, unknown>): Record<BehaviourPart, BehaviourRow[]> {
  const parts: Record<BehaviourPart, BehaviourRow[]> = {
    network: [],
    files: [],
    sms: [],
    crypto: [],
    texts: [],
    leaks: [],
    code: [],
    log: [],
    artefacts: [],
    rest: [],
  };
  for (const [operation, value] of Object.entries(report)) {
    if (separate.has(operation) || value === null) continue;
    const list = Array.isArray(value)
      ? value
      : isRecord(value)
        ? Object.entries(value).map(([name, one]) => ({ name, data: one }))
        : [value];
    const part = partOf[operation] ?? 'rest';
    for (const entry of list.slice(0, maxRows)) {
      const row = rowOf(operation, entry);
      parts[part].push(row);
      if (part !== 'leaks' && row.tags.length > 0) parts.leaks.push(row);
    }
  }
  for (const rows of Object.values(parts)) rows.sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
  return parts;
}

export interface TimelineEvent {
  time: number;
  category: string;
  component: string;
  summary: string;
  /** How often the same was seen, first at `time`. */
  count: number;
}

export interface SeenItem {
  kind: string;
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
  hint: string;
  isChecked: boolean;
}

/** A screen of the app as a person saw it. */
export interface SeenScreen {
  time: number;
  component: string;
  width: number;
  height: number;
  items: SeenItem[];
}

const maxScreens = 100;
const maxItems = 300;

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Those that have a size. */
export function screensOf({ screens }: Record<string, unknown>): SeenScreen[] {
  return listOf(screens)
    .slice(0, maxScreens)
    .map(({ time, component, width, height, items }) => ({
      ...{ time: numberOf(time) ?? 0, component: textOf(component) },
      ...{ width: numberOf(width) ?? 0, height: numberOf(height) ?? 0 },
      items: listOf(items)
        .slice(0, maxItems)
        .map((item) => ({
          ...{ kind: textOf(item.kind), text: textOf(item.text), hint: textOf(item.hint) },
          ...{ x: numberOf(item.x) ?? 0, y: numberOf(item.y) ?? 0 },
          ...{ width: Math.max(0, numberOf(item.width) ?? 0), height: Math.max(0, numberOf(item.height) ?? 0) },
          isChecked: item.is_checked === true,
        })),
    }))
    .filter(({ width, height }) => width > 0 && height > 0);
}

/** Stands for every kind that has no lane of its own. */
const otherKinds = '';

export const categoryName = (category: string) =>
  category === otherKinds
    ? dynamicTexts.otherKinds
    : (dynamicTexts.categories[category] ?? dynamicTexts.parts[category as BehaviourPart] ?? category);

/** The report's own timeline, else one made of everything that has a time. */
export function timelineOf(
  report: Record<string, unknown>,
  parts: Record<BehaviourPart, BehaviourRow[]>,
): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  if (Array.isArray(report.timeline)) {
    for (const entry of report.timeline.slice(0, maxRows)) {
      const time = isRecord(entry) ? numberOf(entry.time) : null;
      if (!isRecord(entry) || time === null) continue;
      const { category, component, summary } = entry;
      events.push({
        time,
        category: textOf(category),
        component: textOf(component),
        summary: textOf(summary),
        count: numberOf(entry.count) ?? 1,
      });
    }
  }
  if (events.length === 0) {
    for (const [category, rows] of Object.entries(parts)) {
      if (category === 'leaks') continue;
      for (const { time, operation, subject } of rows) {
        if (time !== null) events.push({ time, category, component: operation, summary: subject, count: 1 });
      }
    }
    for (const row of parts.leaks) {
      if (row.time !== null && row.operation === 'dataleaks') {
        events.push({
          time: row.time,
          category: 'leak',
          component: row.tags.map(taintName).join(', '),
          summary: row.subject,
          count: 1,
        });
      }
    }
  }
  return events.sort((a, b) => a.time - b.time);
}

/** The summary without the component at its end, which follows as a link. */
export const wordsOf = ({ category, summary, component }: TimelineEvent) => {
  const words =
    component !== '' && summary.endsWith(` ${component}`) ? summary.slice(0, -component.length - 1) : summary;
  return category === 'leak' ? words.replace(/\bTAINT_[A-Z_]+\b/g, taintName) : words;
};

/** Lanes that a picture has room for. */
const maxLanes = 24;

/**
 * The kinds of events in the order in which they came. Where they are too many, the first ones and leaks in any case;
 * the last lane is that of all others then.
 */
export function lanesOf(events: readonly TimelineEvent[]): string[] {
  const kinds = [...new Set(events.map(({ category }) => category))];
  if (kinds.length <= maxLanes) return kinds;
  const first = kinds.filter((kind) => kind !== otherKinds).slice(0, maxLanes - 1);
  if (kinds.includes('leak') && !first.includes('leak')) first.splice(-1, 1, 'leak');
  return [...first, otherKinds];
}

type Share = [done: number, total: number];

export interface SensitiveCall {
  /** The method that holds the call, `Lcom/a/B;->m(I)V`. */
  method: string;
  /** What is called, `android.telephony.SmsManager.sendTextMessage`. */
  api: string;
  state: string;
  /** The arguments of each call that was seen, what the app had to be told for it, why there was none without. */
  note: string;
}

export interface Coverage {
  methods: Share | null;
  instructions: Share | null;
  /** Of the app's own code; null where the report does not tell it from that of libraries. */
  own: { methods: Share | null; instructions: Share | null } | null;
  /** Null in reports that list the methods that did not run instead. */
  calls: SensitiveCall[] | null;
  /** Methods that never ran, each with the sensitive API that it calls and why it was not reached, where that is told. */
  unreached: { method: string; why: string }[];
  unmodelled: { method: string; count: number }[];
  limits: string[];
  /** What the run took: instructions, milliseconds of the machine's time, seconds of the modelled device's. */
  effort: { instructions: number; took: number; lived: number } | null;
}

/**
 * Each call that was seen is a line: what it was made on, and its arguments; then what the app had to be told, and why it
 * did not get there by itself.
 */
function sensitiveCall(call: Record<string, unknown>): SensitiveCall {
  const { coverage: words } = dynamicTexts;
  const listed = (list: unknown) => (Array.isArray(list) ? list : []).filter(isRecord);
  const seen = listed(call.values).map((value) => {
    const on = textOf(value.on);
    const numbers = Array.isArray(value.made_up) ? value.made_up.map((index) => Number(index) + 1) : [];
    const made = numbers.length === 0 ? '' : ` ${words.madeUp(numbers)}`;
    return `${on === '' ? '' : `${on} `}(${stringsOf(value.arguments).join(', ')})${made}`;
  });
  const inputs = listed(call.inputs).map(({ source, value }) =>
    words.input(textOf(source), JSON.stringify(textOf(value))),
  );
  const state = textOf(call.state);
  const reason = textOf(call.reason);
  const why = reason !== '' && state !== 'unreached' ? words.byItself(reason) : reason;
  return {
    method: textOf(call.method),
    api: textOf(call.api),
    state,
    note: [...seen, ...inputs, why].filter(Boolean).join('\n'),
  };
}

export function coverageOf(report: Record<string, unknown>): Coverage {
  const coverage = isRecord(report.coverage) ? report.coverage : {};
  const pair = (of: Record<string, unknown>, name: string): Share | null => {
    const done = numberOf(of[`${name}_executed`]);
    const total = numberOf(of[`${name}_total`]);
    return done === null || total === null ? null : [done, total];
  };
  const shares = (of: Record<string, unknown>) => ({
    methods: pair(of, 'methods'),
    instructions: pair(of, 'instructions'),
  });
  const unmodelled = Array.isArray(report.unmodelled) ? report.unmodelled : [];
  const { limits } = report;
  const engine = isRecord(report.engine) ? report.engine : {};
  const [ran, took, lived] = [engine.instructions, engine.wall_ms, engine.virtual_seconds].map(numberOf);
  return {
    ...shares(coverage),
    own: isRecord(coverage.own) ? shares(coverage.own) : null,
    calls: Array.isArray(coverage.sensitive_calls)
      ? coverage.sensitive_calls.slice(0, maxRows).filter(isRecord).map(sensitiveCall)
      : null,
    unreached: (Array.isArray(coverage.unreached) ? coverage.unreached : stringsOf(coverage.unreached))
      .slice(0, maxRows)
      .map((one) =>
        isRecord(one)
          ? { method: textOf(one.method), why: [one.api, one.reached_by].map(textOf).filter(Boolean).join(' · ') }
          : { method: textOf(one), why: '' },
      ),
    unmodelled: unmodelled
      .slice(0, maxRows)
      .filter(isRecord)
      .map(({ method, count }) => ({ method: textOf(method), count: numberOf(count) ?? 1 }))
      .sort((a, b) => b.count - a.count),
    limits: Array.isArray(limits)
      ? limits.map(textOf)
      : isRecord(limits)
        ? Object.entries(limits).map(([name, value]) => `${name}: ${textOf(value)}`)
        : stringsOf(limits),
    effort: ran == null || took == null || lived == null ? null : { instructions: ran, took, lived },
  };
}
