// Loaded into a worker before anything else: takes away the network, and signals to other processes, which Node's
// permission model leaves open. Knows nothing of the worker's work. Not a wall against native code, but the worker may load none.
import { registerHooks } from 'node:module';

const refused =
  /^(?:node:)?(?:net|tls|https?|http2|dgram|dns|child_process|cluster|worker_threads|inspector|repl|sqlite|_http_\w+|_tls_\w+)(?:\/|$)/;

function refuse(name: string): never {
  throw Object.assign(new Error(`a worker may not use ${name}`), { code: 'ERR_ACCESS_DENIED' });
}

registerHooks({
  resolve: (specifier, context, next) => (refused.test(specifier) ? refuse(specifier) : next(specifier, context)),
});

const getBuiltinModule = process.getBuiltinModule.bind(process);
process.getBuiltinModule = ((name: string) =>
  refused.test(name) ? refuse(name) : getBuiltinModule(name)) as typeof process.getBuiltinModule;
for (const name of ['binding', '_linkedBinding', 'dlopen', 'kill', '_kill', '_debugProcess']) {
  Object.defineProperty(process, name, { value: () => refuse(`process.${name}`) });
}
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name);
