// The second wall, in JavaScript, loaded into a worker before anything else: leaves it the modules that the engine needs, and
// nothing that reaches beyond the process. Knows nothing of the worker's work. What runs afterwards may be the attacker's and
// may patch whatever it sees: nothing here is looked up again later. It holds against no native code, and only as long as
// no object of Node's own leads to another; the wall of the operating system is the one to rely on.
import crypto from 'node:crypto';
import { writeSync } from 'node:fs';
import Module, { isBuiltin, registerHooks, syncBuiltinESMExports } from 'node:module';
import { Readable, Writable } from 'node:stream';
import v8 from 'node:v8';

/** What of Node's the engine, its packages and Node's own loader name. Files are read as the permission model allows. */
const modules = [
  'buffer',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'module',
  'path',
  'path/posix',
  'stream',
  'string_decoder',
];
const moreModules = ['stream/promises', 'timers', 'timers/promises', 'url', 'util', 'util/types', 'v8', 'vm', 'zlib'];
const allowed: Readonly<Record<string, true>> = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries([...modules, ...moreModules].map((name) => [name, true]))),
);

/** A method that stays what it is, whatever becomes of its prototype. */
const method = <This, Arguments extends unknown[], Result>(of: (this: This, ...words: Arguments) => Result) =>
  Function.prototype.call.bind(of) as unknown as (self: This, ...words: Arguments) => Result;
const startsWith = method(String.prototype.startsWith);
const slice = method(String.prototype.slice);
const { defineProperty, getOwnPropertyNames } = Object;
// What is imported by name follows the module, whose names can be set anew.
const isNodes = isBuiltin;

function refuse(name: string): never {
  const error = new Error(`a worker may not use ${name}`);
  defineProperty(error, 'code', { value: 'ERR_ACCESS_DENIED' });
  throw error;
}

/** @param name of a module of Node's, with or without `node:` */
function check(name: string): void {
  const isPrefixed = startsWith(name, 'node:');
  if (!isPrefixed && !isNodes(name)) return;
  if (allowed[isPrefixed ? slice(name, 5) : name] !== true) refuse(name);
}

/** Puts a value in the place of what is there, for good. Modules of Node's that set it anew, as some do, do so in vain. */
const fix = (object: object, name: PropertyKey, value: unknown): void => {
  defineProperty(object, name, { get: () => value, set: () => undefined, configurable: false, enumerable: false });
};
const forbid = (object: object, prefix: string, names: readonly string[]): void => {
  for (const name of names) fix(object, name, () => refuse(`${prefix}.${name}`));
};

// What a name leads to counts, not the name alone: the way there may have been patched.
registerHooks({
  resolve(specifier, context, next) {
    check(specifier);
    const resolved = next(specifier, context);
    check(resolved.url);
    return resolved;
  },
});
// Hooks that are registered later run before these.
forbid(Module, 'module', ['registerHooks', 'register', 'enableCompileCache', 'runMain']);
forbid(crypto, 'crypto', ['setEngine']);
/** The one option of V8 that the engine sets: others take V8's own checks away. */
const neededFlag = '--expose-gc';
const { setFlagsFromString } = v8;
const needed: readonly string[] = ['setFlagsFromString', 'getHeapStatistics'];
forbid(
  v8,
  'v8',
  getOwnPropertyNames(v8).filter((name) => !needed.includes(name)),
);
fix(v8, 'setFlagsFromString', (flag: string) => {
  const wanted = `${flag}`;
  if (wanted !== neededFlag) refuse(`v8.setFlagsFromString('${wanted}')`);
  setFlagsFromString(wanted);
});
syncBuiltinESMExports();

const getBuiltinModule = process.getBuiltinModule.bind(process);
fix(process, 'getBuiltinModule', (name: string) => {
  const wanted = `${name}`;
  check(wanted);
  return getBuiltinModule(wanted);
});

// Streams on pipes are sockets, whose class connects to anything.
const onDescriptor = (descriptor: number): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      writeSync(descriptor, chunk);
      done();
    },
  });
fix(process, 'stdin', Readable.from([]));
fix(process, 'stdout', onDescriptor(1));
fix(process, 'stderr', onDescriptor(2));

/** Ways to Node's inside, to other processes, and to handles, whose classes are those of sockets. */
const processMembers = [
  ...['binding', '_linkedBinding', 'dlopen', 'execve', 'kill', '_kill', 'openStdin', 'loadEnvFile', 'chdir'],
  ...['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups'],
  ...['_getActiveHandles', '_getActiveRequests', '_debugProcess', '_debugEnd'],
  ...['_startProfilerIdleNotifier', '_stopProfilerIdleNotifier'],
];
forbid(process, 'process', processMembers);
fix(process, 'report', undefined);

/** What the network is reached by, and what loads it: Node makes the rest of these from the classes of `fetch`. */
const ofNetwork =
  /^(?:fetch|Request|Response|Headers|FormData|WebSocket|CloseEvent|MessageEvent|EventSource|XMLHttpRequest|navigator|Navigator|Storage|localStorage|sessionStorage)$/;
for (const name of getOwnPropertyNames(globalThis)) if (ofNetwork.test(name)) Reflect.deleteProperty(globalThis, name);
for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(WebAssembly, name);
fix(globalThis, Symbol.for('undici.globalDispatcher.1'), undefined);
