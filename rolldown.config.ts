// Bundles what runs in Node and Electron: few large files load in half the time of a thousand small ones. Knows nothing of the
// user interface.
import { globSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

const root = import.meta.dirname;

/** What is started or loaded by its path: each stands in `dist` where its source stands in the tree. */
const entries = [
  'main/main.ts',
  'server/app/{command-line,server}.ts',
  'server/app/commands/serve.ts',
  'server/engine/worker.ts',
  'server/engine/yara/engines/native-preload.ts',
  'server/jobs/worker-confinement.ts',
  'server/jobs/wall/intrusion.ts',
  'server/services/people/accounts.ts',
  'server/store/search/search-loader.ts',
  'server/**/*-worker.ts',
];

/** Packages that stay as they are: of native code or WebAssembly, or with files that they look for beside their own. */
const unbundled =
  /^(?:electron|electron-updater|better-sqlite3|bullmq|ioredis|pino|swagger-ui-dist|@virustotal\/yara-x|@litko\/|@alexaltea\/capstone-js|libarchive-wasm)/;

const inTree = (id: string): string | null => {
  const path = relative(root, id).replaceAll('\\', '/');
  return /^(?:main|server)\/.*\.ts$/.test(path) ? path : null;
};

/**
 * Modules find what stands beside them by their own address, which in a bundle is that of another file: each keeps the address
 * that it would have by itself.
 */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  transform(code, id) {
    const path = inTree(id);
    if (path === null || !code.includes('import.meta.')) return null;
    const address = `new URL(${JSON.stringify(path.replace(/\.ts$/, '.js'))}, programFolder)`;
    const changed = code.replace(/import\.meta\.(url|dirname|filename)\b/g, (_, property: string) => {
      if (property === 'url') return `${address}.href`;
      return property === 'filename' ? `programPath(${address})` : `programPath(new URL('.', ${address}))`;
    });
    return { code: changed, map: null };
  },
};

/** Where `import.meta.url` of a chunk leads to the folder of the program. */
const programFolder = (fileName: string) => {
  const up = '../'.repeat(fileName.split('/').length - 1) || './';
  return [
    `import { fileURLToPath as programPath } from 'node:url';`,
    `const programFolder = new URL('${up}', import.meta.url);`,
  ].join('\n');
};

/** Models and migrations are found by their folder when they run from source, and stand in the bundle once built. */
const foldersOfModules: Plugin = {
  name: 'folders-of-modules',
  transform(code, id) {
    const call = 'await modulesIn(import.meta.dirname)';
    if (inTree(id) === null || !code.includes(call)) return null;
    const names = readdirSync(dirname(id), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.ts') && name !== basename(id))
      .sort();
    const imports = names.map((name, index) => `import * as module${index} from './${name}';`);
    const changed = code.replace(call, `[${names.map((_, index) => `module${index}`)}]`);
    return { code: [changed, ...imports].join('\n'), map: null };
  },
};

export default defineConfig({
  input: Object.fromEntries(
    entries
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .map((path) => [path.replaceAll('\\', '/').replace(/\.ts$/, ''), join(root, path)]),
  ),
  platform: 'node',
  external: unbundled,
  plugins: [foldersOfModules, ownAddresses],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'server/chunks/[name]-[hash].js',
    sourcemap: true,
    intro: ({ fileName }) => programFolder(fileName),
  },
});
