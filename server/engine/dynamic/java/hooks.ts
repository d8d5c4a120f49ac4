// What the core library tells the world around the app: processes, cryptography, logs, exits. Knows no world; the
// default one is mute.
import { type HeapObject, JavaString, type Taint } from '../machine/heap.ts';
import { ProcessExit } from '../machine/limits.ts';
import type { Machine } from '../machine/model.ts';

/** One use of a cipher, digest, key or signature. */
export interface CryptoUse {
  /** As the app named it: `AES/CBC/PKCS5Padding`, `HmacSHA256`, `MD5`. */
  readonly algorithm: string;
  readonly operation: 'encryption' | 'decryption' | 'keyalgo' | 'digest' | 'mac' | 'sign' | 'verify' | 'derive';
  readonly key: Uint8Array | null;
  /** Initialisation vector or nonce. */
  readonly vector?: Uint8Array | null;
  /** What went in. */
  readonly data: Uint8Array | null;
  /** What came out, where that is not the key. */
  readonly result: Uint8Array | null;
  readonly taint: Taint;
}

/** What a process that the app starts answers. */
export interface ProcessAnswer {
  readonly output: Uint8Array;
  readonly error: Uint8Array;
  readonly exitCode: number;
  readonly taint?: Taint;
}

export interface ProcessStart {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string | null;
  /** Of the command line. */
  readonly taint: Taint;
}

/** The type that the app expects of a JSON member; `list` is an array of objects, `texts` one of strings. */
export type JsonKind = 'text' | 'number' | 'flag' | 'list' | 'texts' | 'object';

/** The inverse of the app's decoding or decryption: how a server would have encoded its answer. */
export interface Sealing {
  /** The initialisation vector that the app gave its cipher; null without one. */
  readonly vector: Uint8Array | null;
  /** Encodes or encrypts as the app's counterpart would. */
  seal(content: Uint8Array, vector: Uint8Array | null): Uint8Array;
}

/** The world's side of java.lang and its like. The world sets its own before the app runs: `setJavaHooks`. */
export interface JavaHooks {
  /** Runtime.exec, ProcessBuilder.start. Null: there is no such program (IOException). */
  exec(machine: Machine, start: ProcessStart): ProcessAnswer | null;
  /** A line that the app writes to a running process, such as a command to `su`. @returns what the process prints */
  processInput(machine: Machine, start: ProcessStart, line: string, taint: Taint): Uint8Array;
  crypto(machine: Machine, use: CryptoUse): void;
  /** System.out, System.err, java.util.logging. */
  log(machine: Machine, level: string, tag: string, message: string, taint: Taint): void;
  /** System.loadLibrary (`isPath` false) and System.load. False: UnsatisfiedLinkError. */
  loadLibrary(machine: Machine, name: string, isPath: boolean): boolean;
  /** The app compared two texts that differ. */
  compared(left: string, right: string): void;
  /** The app tested a text for a prefix that it does not have. */
  begun(text: string, prefix: string): void;
  /** The app split a text and found too few parts. @param separator between the parts */
  divided(text: string, separator: string): void;
  /** The app computed a text's hash, or parsed it as a number, as it does before a comparison. */
  counted(machine: Machine, text: string, as: 'hash' | 'number'): void;
  /** The app looked for a text in a collection that does not contain it. */
  sought(text: string, others: () => Iterable<string>): void;
  /** Code of the app accepted a server without any proof: `className` trusts every certificate. */
  trusted(className: string, host: string): void;
  /** The app read a JSON member that is missing or has another type. */
  missed(name: string, kind: JsonKind): void;
  /** The app parses a text as JSON; called before it is known whether it is JSON. */
  readAsJson(text: string, shape: 'object' | 'list'): void;
  /** The app decodes or decrypts something; called before it is known whether that succeeds. */
  opened(content: Uint8Array, sealing: Sealing): void;
  /** The app parsed a text as hexadecimal digits that has others. */
  soughtDigits(text: string): void;
  /** The app created a string. @param bytes that it was decoded from; null where it was not decoded from bytes */
  made(length: number, bytes: () => Uint8Array | null): void;
  /** The same, with the text. */
  decoded(machine: Machine, text: string): void;
  /** System.exit, Runtime.halt, before the machine ends the process. */
  exit(machine: Machine, status: number): void;
  readonly properties: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  /** As in `Europe/Berlin`. */
  readonly timeZone: string;
  /** As in `en-US`. */
  readonly locale: string;
  readonly processors: number;
  /** Bytes, for Runtime.maxMemory. */
  readonly maxMemory: number;
}

const KEY = 'java.hooks';

interface HookState {
  hooks: JavaHooks;
}

export function setJavaHooks(machine: Machine, hooks: Partial<JavaHooks>): void {
  const state = machine.state<HookState>(KEY, () => ({ hooks: muteHooks }));
  state.hooks = { ...muteHooks, ...hooks };
}

export function javaHooks(machine: Machine): JavaHooks {
  return machine.state<HookState>(KEY, () => ({ hooks: muteHooks })).hooks;
}

/** The outcome of comparing two texts, as Java's flag; a difference is reported. */
export function compareTexts(machine: Machine, left: string, right: string, isEqual: boolean): number {
  if (!isEqual) javaHooks(machine).compared(left, right);
  return isEqual ? 1 : 0;
}

/** Reports that a text is decoded from Base64. */
export function reportBase64(machine: Machine, text: string, isUrl: boolean): void {
  const seal = (content: Uint8Array) => Buffer.from(Buffer.from(content).toString(isUrl ? 'base64url' : 'base64'));
  javaHooks(machine).opened(Buffer.from(text, 'latin1'), { vector: null, seal });
}

const singleBytes = (text: string): Uint8Array | null =>
  /^[\x00-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : null;

/** Reports a string that is built of single characters. */
export function reportMade(machine: Machine, text: string): string {
  const hooks = javaHooks(machine);
  hooks.made(text.length, () => singleBytes(text));
  hooks.decoded(machine, text);
  return text;
}

/** Largest collection that is reported: longer ones are word lists, not answers that the app waits for. */
const maxOthers = 16;

/** Reports that a collection does not contain the object that the app looked for, if that is a string. */
export function reportSought(machine: Machine, wanted: HeapObject | null, others: () => Iterable<unknown>): void {
  if (!(wanted instanceof JavaString)) return;
  javaHooks(machine).sought(wanted.text, function* () {
    let count = 0;
    for (const each of others()) {
      if (count++ >= maxOthers) return;
      if (each instanceof JavaString) yield each.text;
    }
  });
}

/** Reports a use of cryptography. */
export function reportCrypto(machine: Machine, use: CryptoUse): void {
  javaHooks(machine).crypto(machine, use);
}

const muteHooks: JavaHooks = {
  exec: () => null,
  processInput: () => new Uint8Array(0),
  crypto: () => undefined,
  log: () => undefined,
  loadLibrary: () => false,
  compared: () => undefined,
  begun: () => undefined,
  divided: () => undefined,
  counted: () => undefined,
  sought: () => undefined,
  trusted: () => undefined,
  missed: () => undefined,
  readAsJson: () => undefined,
  opened: () => undefined,
  soughtDigits: () => undefined,
  made: () => undefined,
  decoded: () => undefined,
  exit: (_machine, status) => {
    throw new ProcessExit(status);
  },
  properties: {
    'java.version': '0',
    'java.vendor': 'The Android Project',
    'java.vendor.url': 'http://www.android.com/',
    'java.vm.name': 'Dalvik',
    'java.vm.version': '2.1.0',
    'java.vm.vendor': 'The Android Project',
    'java.vm.specification.version': '0.9',
    'java.specification.version': '0.9',
    'java.class.version': '50.0',
    'java.class.path': '.',
    'java.home': '/system',
    'java.io.tmpdir': '/data/local/tmp',
    'java.library.path': '/system/lib64:/vendor/lib64',
    'java.runtime.name': 'Android Runtime',
    'java.runtime.version': '0.9',
    'os.arch': 'aarch64',
    'os.name': 'Linux',
    'os.version': '4.14.186',
    'file.separator': '/',
    'path.separator': ':',
    'line.separator': '\n',
    'file.encoding': 'UTF-8',
    'user.dir': '/',
    'user.home': '',
    'user.name': 'root',
    'user.language': 'en',
    'user.region': 'US',
    'http.agent': 'Dalvik/2.1.0 (Linux; U; Android 11; Pixel 4a Build/RQ3A.211001.001)',
    'android.icu.library.version': '66.1',
  },
  environment: {
    PATH: '/sbin:/system/sbin:/system/bin:/system/xbin:/vendor/bin:/vendor/xbin',
    ANDROID_ROOT: '/system',
    ANDROID_DATA: '/data',
    EXTERNAL_STORAGE: '/sdcard',
    ANDROID_STORAGE: '/storage',
  },
  timeZone: 'America/New_York',
  locale: 'en-US',
  processors: 8,
  maxMemory: 256 << 20,
};
