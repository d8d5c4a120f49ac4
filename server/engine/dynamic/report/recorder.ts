// Notes what the app did, bounded. Models call it; knows no report format and no model.
import type { EventCategory, ScreenItem } from '../../../contract/engine/reports.ts';
import type { Taint, Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { DecodedTexts } from './decoded-texts.ts';
import { LeftCode } from './left-code.ts';
import { keyOf, NotedEvents, type Repeated } from './noted-events.ts';

/** What every note carries. */
export interface Noted {
  /** Virtual seconds since the run's start. */
  time: number;
  tid: number;
  /** Tags of the data, sorted; empty where it is clean. */
  tags: string[];
}

export interface Notes {
  fileswritten: Noted & { name: string; data: Uint8Array };
  filesread: Noted & { name: string; data: Uint8Array };
  filesopen: Noted & { name: string };
  filesdeleted: Noted & { name: string };
  opennet: Noted & { host: string; port: number };
  closenet: Noted & { host: string; port: number };
  sendnet: Noted & { host: string; port: number; data: Uint8Array; isEncrypted: boolean };
  recvnet: Noted & { host: string; port: number; data: Uint8Array };
  dns: Noted & { hostname: string; ip: string };
  http: Noted & {
    method: string;
    scheme: string;
    host: string;
    port: number;
    path: string;
    userAgent: string;
    body: Uint8Array;
    head: string;
    answer: HttpAnswer;
  };
  udp: Noted & { host: string; port: number };
  dexclass: Noted & { path: string };
  libraries: Noted & { name: string };
  servicestart: Noted & { name: string };
  cryptousage: Noted & {
    algorithm: string;
    operation: string;
    key: Uint8Array;
    /** Initialisation vector or nonce; null without one. */
    vector: Uint8Array | null;
    data: Uint8Array;
    /** What came out; null where nothing did. */
    result: Uint8Array | null;
  };
  sendsms: Noted & { number: string; message: string };
  phonecalls: Noted & { number: string };
  recvsaction: Noted & { name: string; action: string };
  enfperm: Noted & { permission: string };
  commands: Noted & { command: string };
  log: Noted & { level: string; tag: string; message: string };
}

/** What a server said to a request. */
interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: Uint8Array;
}

/** Who is spoken to over the network. */
export interface Peer {
  host: string;
  port: number;
  /** By TLS. */
  isEncrypted: boolean;
}

/** Data that reached a place from which others can read it. */
export interface Leak {
  time: number;
  tid: number;
  /** What kind of place: `network`, `sms`, `log`, `file`, `intent`, `command`, `provider`, `preferences`. */
  kind: string;
  /** The method that took it, `SmsManager.sendTextMessage`. */
  sink: string;
  /** Where to: a host, a number, a path; several where one instruction sends to several. */
  target: string;
  tags: string[];
  /** Where each part of the data was read; the first ones where they are many. */
  sources: { tag: string; api: string; place: string }[];
  /** Sources, the methods on the way, the sink. */
  path: string[];
  /** The data decided whether it happened, and is not in the content. */
  implicit: boolean;
  count: number;
  /** When it happened last. */
  last: number;
}

/** A screen as a person sees it. */
export interface Screen {
  time: number;
  component: string;
  width: number;
  height: number;
  items: ScreenItem[];
}

export interface TimelineEntry {
  time: number;
  component: string;
  category: EventCategory;
  summary: string;
}

/** A loop that writes ever new things must not fill the report. */
const noteBounds = { most: 2_000, mostOfGroup: 500 };
/** Of one category: screens that are started thousands of times must not hide what one of them does last. */
const timelineBounds = { most: 5_000, mostOfGroup: 1_000 };
const logBounds = { most: 500, mostOfGroup: 200 };
const maxSummary = 300;
/** Things that are noted once: files opened, names looked up. */
const maxNames = 40_000;
const maxLeaks = 2_000;
/** DroidBox itself cut data; ours keeps enough for a reader and for rules. */
const maxData = 4_096;
const maxText = 4_096;
/** Writes of up to so many bytes are joined with the one before. */
const maxPiece = 8;
/** All noted bytes together: the report goes through a message and a database. */
const maxTotalData = 8 << 20;
const maxPath = 60;
/** Screens that are kept, and of one component. */
const maxScreens = 60;
const maxScreensOfOne = 4;
/** Places listed of one leak. */
const maxSources = 20;
/** Kinds of leaks whose target is a place rather than the data itself. */
const hasPlace: ReadonlySet<string> = new Set([
  'network',
  'sms',
  'intent',
  'provider',
  'preferences',
  'native',
  'notification',
]);
/** Targets listed of one leak. */
const maxTargets = 10;

/** With the port where it is not the scheme's own. */
export const requestUrl = (request: { scheme: string; host: string; port: number; path: string }): string => {
  const { scheme, host, port, path } = request;
  return `${scheme}://${host}${port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`}${path}`;
};

/** Codes that divert the owner's calls: always, or when they are not answered. 3GPP TS 22.030, annex B. */
const forwardedTo = (number: string): string | null =>
  /^\*{1,2}(?:21|61|62|67|002|004)\*(\+?\d{3,20})\b/.exec(number)?.[1] ?? null;

const peerOf = ({ host, port }: { host: string; port: number }): string => `${host}:${port}`;
const nameOf = ({ name }: { name: string }): string => name;

/** What a reader takes together in a list: what is done to one file, said to one host. */
const groupOf: { readonly [K in keyof Notes]: (note: Notes[K]) => string } = {
  fileswritten: nameOf,
  filesread: nameOf,
  filesopen: nameOf,
  filesdeleted: nameOf,
  opennet: peerOf,
  closenet: peerOf,
  sendnet: peerOf,
  recvnet: peerOf,
  dns: ({ hostname }) => hostname,
  http: peerOf,
  udp: peerOf,
  dexclass: ({ path }) => path,
  libraries: nameOf,
  servicestart: nameOf,
  cryptousage: ({ operation, algorithm }) => `${operation} ${algorithm}`,
  sendsms: ({ number }) => number,
  phonecalls: ({ number }) => number,
  recvsaction: nameOf,
  enfperm: ({ permission }) => permission,
  commands: ({ command }) => command.split(' ', 1)[0]!,
  log: ({ tag }) => tag,
};
const noteKinds = Object.keys(groupOf) as (keyof Notes)[];

type FileList = 'filesread' | 'fileswritten';

export class Recorder {
  readonly #lists = Object.fromEntries(
    noteKinds.map((kind) => [kind, new NotedEvents(kind === 'log' ? logBounds : noteBounds)]),
  ) as unknown as { readonly [K in keyof Notes]: NotedEvents<Notes[K]> };
  /** The last read and write, which go on as long as they are of the same file. */
  readonly #running: { [K in FileList]: Notes[K] | null } = { filesread: null, fileswritten: null };
  readonly leaks: Leak[] = [];
  readonly screens: Screen[] = [];
  readonly #timeline = new NotedEvents<TimelineEntry>(timelineBounds);
  /** Names of the limits that cut something off. */
  readonly limits = new Set<string>();
  readonly left: LeftCode;
  readonly decoded: DecodedTexts;
  /** The component whose code runs, as the driver says. */
  component = '';
  readonly #machine: Machine;
  readonly #names = new Set<string>();
  readonly #leakKeys = new Map<string, Leak>();
  #dataBytes = 0;
  #cause: { category: EventCategory; summary: string } | null = null;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.left = new LeftCode(machine, this.limits);
    this.decoded = new DecodedTexts(machine);
  }

  /** What was noted so far, equal things once. */
  get notes(): { readonly [K in keyof Notes]: readonly (Notes[K] & Repeated)[] } {
    this.#endRun('filesread');
    this.#endRun('fileswritten');
    return Object.fromEntries(noteKinds.map((kind) => [kind, this.#lists[kind].items])) as unknown as {
      [K in keyof Notes]: (Notes[K] & Repeated)[];
    };
  }

  get timeline(): readonly (TimelineEntry & Repeated)[] {
    return this.#timeline.items;
  }

  fileRead(path: string, data: Uint8Array, taint: Taint = 0): void {
    this.#goOn('filesread', { ...this.#noted(taint), name: clip(path), data: this.#data(data) });
  }

  /**
   * Data written to a file, which is a sink. @param sink the writing method; empty where the app keeps the file to
   * itself
   */
  fileWrite(path: string, data: Uint8Array, taint: Taint = 0, sink = 'FileOutputStream.write'): void {
    const note = { ...this.#noted(taint), name: clip(path), data: this.#data(data) };
    if (this.#goOn('fileswritten', note)) this.#tell('file', `wrote ${data.length} bytes to ${path}`);
    if (sink !== '') this.leak('file', sink, path, taint);
  }

  fileOpen(path: string): void {
    this.#once('filesopen', path, { ...this.#noted(0), name: clip(path) });
  }

  fileDelete(path: string): void {
    this.#add('filesdeleted', { ...this.#noted(0), name: clip(path) });
    this.#tell('file', `deleted ${path}`);
  }

  netOpen(host: string, port: number): void {
    this.#add('opennet', { ...this.#noted(0), host: clip(host), port });
  }

  netClose(host: string, port: number): void {
    this.#add('closenet', { ...this.#noted(0), host: clip(host), port });
  }

  /** Bytes that left over a socket or in an HTTP request, head and body. @param sink the method that sent them */
  netSend({ host, port, isEncrypted }: Peer, data: Uint8Array, taint: Taint = 0, sink = 'OutputStream.write'): void {
    this.#add('sendnet', { ...this.#noted(taint), host: clip(host), port, isEncrypted, data: this.#data(data) });
    this.#tell('network', `sent ${data.length} bytes to ${host}:${port}`);
    this.leak('network', sink, `${host}:${port}`, taint);
  }

  netReceive(host: string, port: number, data: Uint8Array): void {
    this.left.received(`${host}:${port}`, data);
    this.#add('recvnet', { ...this.#noted(0), host: clip(host), port, data: this.#data(data) });
  }

  udpSend(host: string, port: number, data: Uint8Array, taint: Taint = 0, sink = 'DatagramSocket.send'): void {
    this.#once('udp', `${host}:${port}`, { ...this.#noted(taint), host: clip(host), port });
    this.netSend({ host, port, isEncrypted: false }, data, taint, sink);
  }

  dns(hostname: string, ip: string): void {
    this.#once('dns', hostname, { ...this.#noted(0), hostname: clip(hostname), ip });
  }

  /** A request as a whole and what was answered, beside the bytes of both in `netSend` and `netReceive`. */
  http(
    request: {
      method: string;
      scheme: string;
      host: string;
      port: number;
      path: string;
      headers: readonly (readonly [name: string, value: string])[];
      body: Uint8Array;
      taint?: Taint;
    },
    answer: HttpAnswer,
  ): void {
    const { method, scheme, host, port, path, headers, body } = request;
    const userAgent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const head = clip(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`);
    const noted = { ...this.#noted(request.taint ?? 0), method, scheme, host: clip(host), port, path: clip(path) };
    this.#add('http', {
      ...noted,
      userAgent: clip(userAgent),
      head,
      body: this.#data(body),
      answer: { status: answer.status, head: clip(answer.head), body: this.#data(answer.body) },
    });
    this.#tell('network', `${method} ${requestUrl(request)}`);
  }

  dexLoaded(path: string, bytes: Uint8Array | null): void {
    this.#add('dexclass', { ...this.#noted(0), path: clip(path) });
    this.#tell('code', `loaded ${path}`);
    if (bytes !== null) this.left.keep('loaded', 'dex', path, bytes);
  }

  library(name: string): void {
    this.#once('libraries', name, { ...this.#noted(0), name: clip(name) });
    this.#tell('code', `loaded the native library ${name}`);
  }

  serviceStart(name: string): void {
    this.#add('servicestart', { ...this.#noted(0), name: clip(name) });
    this.#tell('component', `started the service ${name}`);
  }

  /** @param use its operation as DroidBox calls them: `keyalgo`, `encryption`, `decryption`, `hash`, `mac` */
  crypto(use: {
    readonly algorithm: string;
    readonly operation: string;
    readonly key: Uint8Array | null;
    readonly vector?: Uint8Array | null;
    readonly data: Uint8Array | null;
    readonly result: Uint8Array | null;
    readonly taint: Taint;
  }): void {
    const { algorithm, operation, key, vector = null, data, result, taint } = use;
    if (operation === 'decryption' && result !== null) this.left.decrypted(result);
    this.#add('cryptousage', {
      ...this.#noted(taint),
      algorithm: clip(algorithm),
      operation,
      key: this.#data(key ?? new Uint8Array(0)),
      vector: vector === null ? null : this.#data(vector),
      data: this.#data(data ?? new Uint8Array(0)),
      result: result === null ? null : this.#data(result),
    });
  }

  sms(number: string, message: string, taint: Taint, sink: string): void {
    this.#add('sendsms', { ...this.#noted(taint), number: clip(number), message: clip(message) });
    this.#tell('sms', `sent an SMS to ${number}: ${message}`);
    this.leak('sms', sink, number, taint);
  }

  phoneCall(number: string, taint: Taint = 0): void {
    this.#add('phonecalls', { ...this.#noted(taint), number: clip(number) });
    const target = forwardedTo(number);
    this.#tell('call', `called ${number}${target === null ? '' : `, which leads the owner's calls to ${target}`}`);
  }

  receiver(name: string, action: string): void {
    this.#once('recvsaction', `${name} ${action}`, { ...this.#noted(0), name: clip(name), action: clip(action) });
  }

  permission(permission: string): void {
    this.#once('enfperm', permission, { ...this.#noted(0), permission });
  }

  /** A command line handed to the shell, which is a sink. */
  command(command: string, taint: Taint = 0, sink = 'Runtime.exec'): void {
    this.#add('commands', { ...this.#noted(taint), command: clip(command) });
    this.#tell('command', `ran ${command}`);
    this.leak('command', sink, command, taint);
  }

  log(level: string, tag: string, message: string, taint: Taint, sink: string): void {
    this.#add('log', { ...this.#noted(taint), level, tag: clip(tag), message: clip(message) });
    this.leak('log', sink, tag, taint);
  }

  /** A loop that only counts was not waited for. */
  loopLeft(method: string): void {
    this.limits.add('loops');
    this.#tell('evasion', `counts on and on in ${method}: went on behind the loop`);
  }

  /** A thread that does the same without end was not waited for. */
  parked(method: string): void {
    this.#tell('process', `a thread does the same over and over in ${method}: went on without it`);
  }

  /** A callback that never ends was given up. */
  hung(method: string): void {
    this.limits.add('hang');
    this.#tell('process', `hangs in ${method}: given up`);
  }

  /** Anything worth a line of the time line. */
  event(category: EventCategory, summary: string): void {
    this.#tell(category, summary);
  }

  /** Whether another screen of a component would be kept. */
  hasRoomForScreen(component: string): boolean {
    const ofOne = this.screens.filter((screen) => screen.component === component);
    return this.screens.length < maxScreens && ofOne.length < maxScreensOfOne;
  }

  /** A screen as it looks now; one that was kept before is not kept again. */
  screen(component: string, size: { width: number; height: number }, items: ScreenItem[]): void {
    const { width, height } = size;
    const isKnown = this.screens.some((other) => other.component === component && keyOf(other.items) === keyOf(items));
    if (items.length === 0 || isKnown || !this.hasRoomForScreen(component)) return;
    this.screens.push({ time: this.#machine.clock.elapsed / 1000, component, width, height, items });
  }

  /** What happened to the app, worth a line of the time line only where an event follows before `forgetCause`. */
  awaitEffect(category: EventCategory, summary: string): void {
    this.#cause = { category, summary };
  }

  forgetCause(): void {
    this.#cause = null;
  }

  /**
   * Data reached a sink; clean data is no leak. Where only a decision depended on tainted data, the leak is implicit. What
   * one instruction hands to one place is one leak, however often.
   * @param target where it went: host, number, path, action
   */
  leak(kind: string, sink: string, target: string, taint: Taint): void {
    const machine = this.#machine;
    const control = machine.controlTaint;
    const all = control === 0 ? taint : machine.union(taint, control);
    if (all === 0) return;
    const tags = machine.tagsOf(all);
    const implicit = machine.isImplicit(all);
    const caller = machine.stackTrace().find(({ isApp }) => isApp);
    const place = caller === undefined ? '' : `${caller.className}.${caller.methodName}`;
    const sources = machine.sourcesOf(all).slice(0, maxSources);
    const key = JSON.stringify([kind, sink, place, caller?.address, sources]);
    const known = this.#leakKeys.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.last = this.#machine.clock.elapsed / 1000;
      const targets = known.target.split(', ');
      if (hasPlace.has(kind) && targets.length < maxTargets && !targets.includes(target)) {
        known.target = clip(`${known.target}, ${target}`);
      }
      known.implicit &&= implicit;
      return;
    }
    if (this.leaks.length >= maxLeaks) {
      this.limits.add('dataleaks');
      return;
    }
    const path = [...machine.pathOf(all).slice(-maxPath), sink];
    const { time, tid } = this.#noted(0);
    const leak: Leak = {
      time,
      tid,
      kind,
      sink,
      target: clip(target),
      tags,
      sources,
      path,
      implicit,
      count: 1,
      last: time,
    };
    this.leaks.push(leak);
    this.#leakKeys.set(key, leak);
    this.#tell('leak', `${tags.join(', ')} to ${sink} ${target}`);
  }

  #noted(taint: Taint): Noted {
    const machine = this.#machine;
    return {
      time: machine.clock.elapsed / 1000,
      tid: 14233,
      tags: taint === 0 ? [] : machine.tagsOf(taint),
    };
  }

  #add<K extends keyof Notes>(kind: K, note: Notes[K]): void {
    const { time: _time, tid: _tid, ...content } = note;
    const list: NotedEvents<Notes[K]> = this.#lists[kind];
    if (list.add(note, keyOf(Object.values(content)), groupOf[kind](note)) === null) this.limits.add(kind);
  }

  #once<K extends keyof Notes>(kind: K, key: string, note: Notes[K]): void {
    const name = `${kind} ${key}`;
    if (this.#names.has(name) || this.#names.size > maxNames) return;
    this.#names.add(name);
    this.#add(kind, note);
  }

  /**
   * Joins a few bytes with those before where they are of the same file and taint: many programs read and write byte by byte.
   * @returns whether another read or write began
   */
  #goOn(kind: FileList, note: Notes[FileList]): boolean {
    const running = this.#running[kind];
    const isLong = running !== null && running.data.length + note.data.length > maxData;
    if (running !== null && !isLong && note.data.length <= maxPiece) {
      if (running.name === note.name && running.tags.join() === note.tags.join()) {
        running.data = Buffer.concat([running.data, note.data]);
        return false;
      }
    }
    this.#endRun(kind);
    this.#running[kind] = note;
    return true;
  }

  #endRun(kind: FileList): void {
    const running = this.#running[kind];
    if (running !== null) this.#add(kind, running);
    this.#running[kind] = null;
  }

  #data(bytes: Uint8Array): Uint8Array {
    const kept = Math.min(bytes.length, maxData, Math.max(0, maxTotalData - this.#dataBytes));
    if (kept < bytes.length) this.limits.add('data');
    this.#dataBytes += kept;
    return bytes.slice(0, kept);
  }

  #tell(category: EventCategory, summary: string): void {
    const cause = this.#cause;
    this.#cause = null;
    if (cause !== null) this.#tell(cause.category, cause.summary);
    const time = this.#machine.clock.elapsed / 1000;
    const { component } = this;
    const told = { time, component, category, summary: summary.slice(0, maxSummary) };
    const key = keyOf([category, component, told.summary]);
    if (this.#timeline.add(told, key, category) === null) this.limits.add('timeline');
  }
}

const clip = (text: string): string => (text.length > maxText ? text.slice(0, maxText) : text);

/** The run's recorder. */
export function recorderOf(machine: Machine): Recorder {
  return machine.state('recorder', () => new Recorder(machine));
}

/** Taint of a value that reaches a sink: strings and arrays directly, objects through what they hold. */
export const sinkTaint = (machine: Machine, ...values: Value[]): Taint =>
  values.reduce<Taint>((all, value) => machine.union(all, value === null ? 0 : machine.deepTaint(value)), 0);
