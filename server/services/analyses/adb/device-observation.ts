// Reads what a device says about a running app: its processes, connections, log lines. All of it is hostile text.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import { plainText } from './adb-connection.ts';

export interface SeenConnection {
  host: string;
  port: number;
}

/** Lines of the log, connections and files that a report keeps: an app may make any number of them. */
export const maxLogLines = 5_000;
const maxConnections = 1_000;
const maxMessage = 4_000;

const hexBytes = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** An address of /proc/net: words of 32 bits, each in the order of a little-endian machine. */
function hostOf(hex: string): string {
  const bytes = hexBytes(hex);
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  const isMapped = bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  if (bytes.length === 4 || isMapped) return bytes.subarray(-4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bytes[index * 2]! << 8) | bytes[index * 2 + 1]!).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

/**
 * Where the sockets of a user id lead, from the text of `/proc/net/tcp` and `tcp6`
 * (https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html). Listening ones lead nowhere.
 */
export function connectionsOf(text: string, uid: number): SeenConnection[] {
  const found = new Map<string, SeenConnection>();
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const [, address = '', port = ''] =
      /^([0-9A-Fa-f]{8}|[0-9A-Fa-f]{32}):([0-9A-Fa-f]{4})$/.exec(words[2] ?? '') ?? [];
    if (words[7] !== String(uid) || address === '' || /^0+$/.test(port)) continue;
    if (found.size >= maxConnections) break;
    const seen = { host: hostOf(address), port: Number.parseInt(port, 16) };
    found.set(`${seen.host} ${seen.port}`, seen);
  }
  return [...found.values()];
}

export interface SeenProcess {
  pid: number;
  /** With its arguments; an app's own is named after its package. */
  command: string;
}

/** What runs as a user id, from `ps -A -o UID,PID,ARGS`. */
export function processesOf(text: string, uid: number): SeenProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, owner, pid, command = ''] = /^\s*(\d{1,10})\s+(\d{1,10})(?:\s+(\S.*))?$/.exec(line.trimEnd()) ?? [];
    return Number(owner) === uid ? [{ pid: Number(pid), command }] : [];
  });
}

/** How a process is called before it is an app's. */
const unnamed = /^(?:zygote|usap|app_process|webview_zygote|<pre-initialized>)/;

/** Whether an app has started a program, rather than being one of its own processes. */
export const isProgram = (command: string, packageName: string): boolean =>
  command !== '' && !unnamed.test(command) && command.split(/[:\s]/, 1)[0] !== packageName;

/** The user id of a package, from `pm list packages -U`; null where it is not told. */
export function uidOf(text: string, packageName: string): number | null {
  for (const line of text.split(/\r?\n/)) {
    const [, name, uid] = /^package:(\S+) uid:(\d{1,9})/.exec(line) ?? [];
    if (name === packageName) return Number(uid);
  }
  return null;
}

export interface LogLine {
  /** Seconds since 1970 by the device's clock. */
  time: number;
  pid: number;
  tid: number;
  level: string;
  tag: string;
  message: string;
}

/** `logcat -v threadtime -v epoch`, the lines of these processes from that time on. */
export function logLinesOf(text: string, pids: ReadonlySet<number>, from: number): LogLine[] {
  const found: LogLine[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, time, pid, tid, level, tag, message] =
      /^\s*(\d{1,12}\.\d{1,9})\s+(\d{1,10})\s+(\d{1,10}) ([VDIWEFS]) ([^:]{0,200}?)\s*: (.*)$/.exec(line) ?? [];
    if (message === undefined || !pids.has(Number(pid)) || Number(time) < from) continue;
    if (found.length >= maxLogLines) break;
    const words = { level: level!, tag: plainText(tag!, 200), message: plainText(message, maxMessage) };
    found.push({ time: Number(time), pid: Number(pid), tid: Number(tid), ...words });
  }
  return found;
}

/** What the run-time printed of exceptions that ended the app. @param start the run's, by the device's clock */
export function crashesOf(lines: readonly LogLine[], start: number, component: string): DynamicReport['crashes'] {
  const crashes: DynamicReport['crashes'] = [];
  for (const { tag, message, time } of lines) {
    if (tag !== 'AndroidRuntime') continue;
    const last = crashes.at(-1);
    if (message.startsWith('FATAL EXCEPTION')) crashes.push({ time: time - start, component, exception: '', at: '' });
    else if (last === undefined || message.startsWith('Process: ')) continue;
    else if (last.exception === '') last.exception = message;
    else if (last.at === '' && message.startsWith('at ')) last.at = message.slice(3);
  }
  return crashes;
}
