// The rule of which room may import which, as a table, and dependency-cruiser to hold the tree against it. Knows nothing of
// what the code does.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const treeRoot = dirname(dirname(import.meta.dirname));

interface Room {
  /** The rooms that it may import besides itself. A room inside another one keeps to the rules of both. */
  readonly imports: readonly string[];
  /** The only npm packages that it may import; any, where absent. */
  readonly packages?: readonly string[];
  /** It also runs where Node is not. */
  readonly isWithoutNode?: true;
}

/** What stands at the top of the engine for all of it, beside the rooms that it may import. */
const engineShared = [
  'server/engine/cpu-time.ts',
  'server/engine/findings.ts',
  'server/engine/linear-pattern.ts',
  'server/engine/open-file.ts',
  'server/contract',
  'server/vault',
];
const readers = ['app', 'code', 'similarity', 'formats'].map((room) => `server/engine/${room}`).concat(engineShared);

/** What stands at the top of the store for all of it. */
const storeShared = ['clock.ts', 'store-errors.ts', 'schema', 'lost-catalogue.ts', 'held-files.ts'].map(
  (file) => `server/store/${file}`,
);
const kept = ['server/store/files', 'server/store/sqlite', ...storeShared, 'server/vault', 'server/contract'];

/** The rooms inside the engine and the store. */
const subRooms: Readonly<Record<string, Room>> = {
  'server/engine/formats': { imports: engineShared, packages: [] },
  'server/engine/similarity': { imports: ['server/engine/formats', ...engineShared] },
  'server/engine/app': { imports: ['server/engine/formats', ...engineShared] },
  'server/engine/code': { imports: ['server/engine/formats', ...engineShared] },
  'server/engine/decompiler': {
    imports: ['server/engine/code', 'server/engine/formats', ...engineShared],
    packages: [],
  },
  'server/engine/static': { imports: readers },
  'server/engine/dynamic': { imports: readers },
  'server/engine/dynamic/machine': { imports: ['server/engine/code', 'server/engine/formats', ...engineShared] },
  'server/engine/yara': { imports: readers },
  'server/engine/rule-features': { imports: readers },
  'server/engine/content-index': { imports: readers },
  'server/engine/content-search': { imports: readers },
  'server/engine/exploration': { imports: ['server/engine/decompiler', ...readers] },
  'server/engine/comparison': { imports: readers },
  'server/store/files': { imports: [...storeShared, 'server/vault', 'server/contract'] },
  'server/store/sqlite': { imports: ['server/store/files', ...storeShared] },
  'server/store/search': { imports: ['server/store/sqlite', ...storeShared, 'server/contract'] },
  'server/store/content-index': { imports: ['server/store/sqlite', ...storeShared, 'server/vault', 'server/contract'] },
  'server/store/repositories': {
    imports: ['server/store/search', 'server/store/sqlite', ...storeShared, 'server/vault', 'server/contract'],
  },
  'server/store/backup': { imports: kept },
  'server/store/repair': { imports: kept },
};

/** What stands at the top of the services for all of them. */
const servicesShared = [
  ...[
    'audit',
    'background-work',
    'disk-room',
    'event-bus',
    'failure',
    'html',
    'places',
    'policies',
    'public-ids',
    'settings',
    'techniques',
    'version',
  ].map((file) => `server/services/${file}.ts`),
  'server/store',
  'server/jobs',
  'server/query',
  'server/vault',
  'server/contract',
];
/** The rooms of the services, each of which may import those before it. */
const serviceRooms = [
  'lab',
  'sharing',
  'people',
  'catalogue',
  'triage',
  'analyses',
  'families',
  'rules',
  'exports',
  'names',
  'cases',
  'collections',
].map((room) => `server/services/${room}`);

/** What stands at the top of the contract for all of it. */
const contractShared = ['list', 'error', 'failure', 'policy', 'csv', 'json-line'].map(
  (file) => `server/contract/${file}.ts`,
);
/** The rooms of the contract, each of which may import those before it. */
const contractRooms = ['findings', 'engine', 'process-line', 'catalogue', 'jobs', 'rules', 'people', 'workstation'].map(
  (room) => `server/contract/${room}`,
);

/** Each room of a row may import those before it, and what is shared by all of them. */
const inARow = (row: readonly string[], shared: readonly string[]) =>
  Object.fromEntries(row.map((room, place) => [room, { imports: [...row.slice(0, place), ...shared] }]));

/** Every room by its path. A room inside a room gets a line of its own here. */
const rooms: Readonly<Record<string, Room>> = {
  main: { imports: ['server/app'] },
  renderer: { imports: ['server/contract'], isWithoutNode: true },
  'server/contract': { imports: [], packages: ['zod'], isWithoutNode: true },
  'server/app': {
    imports: [
      'server/api',
      'server/services',
      'server/query',
      'server/lab',
      'server/jobs',
      'server/store',
      'server/engine',
      'server/vault',
      'server/contract',
    ],
  },
  'server/api': { imports: ['server/services', 'server/contract'] },
  'server/services': { imports: ['server/store', 'server/jobs', 'server/query', 'server/vault', 'server/contract'] },
  'server/lab': { imports: ['server/jobs', 'server/vault', 'server/contract'] },
  'server/query': { imports: ['server/store', 'server/contract'] },
  'server/jobs': { imports: ['server/store', 'server/contract'] },
  'server/store': { imports: ['server/contract', 'server/vault'] },
  'server/vault': { imports: [], packages: [] },
  'server/engine': {
    imports: ['server/contract', 'server/vault'],
    packages: [
      '@virustotal/yara-x',
      '@litko/yara-x-linux-x64-gnu',
      '@zip.js/zip.js',
      're2js',
      'diff',
      'zod',
      '@alexaltea/capstone-js',
      'libarchive-wasm',
      'acorn',
    ],
  },
  ...subRooms,
  ...inARow(serviceRooms, servicesShared),
  ...inARow(contractRooms, contractShared),
};

/** Packages that only one room may import. */
const owners: Readonly<Record<string, string>> = { electron: 'main', 'better-sqlite3': 'server/store' };

/** Folders that hold rooms. */
const tops = [...new Set(Object.keys(rooms).map((room) => room.split('/')[0]!))];

const escaped = (path: string) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A pattern for what stands at or below the paths. */
const below = (paths: readonly string[]) => `^(?:${paths.map(escaped).join('|')})(?:/|$)`;
const packaged = (names: readonly string[]) => below(names.map((name) => `node_modules/${name}`));

/** The table in dependency-cruiser's words: https://github.com/sverweij/dependency-cruiser/blob/main/doc/rules-reference.md */
function rules() {
  const error = 'error' as const;
  const ofRooms = Object.entries(rooms).flatMap(([room, { imports, packages, isWithoutNode }]) => [
    {
      name: `${room} imports ${imports.length === 0 ? 'no other room' : imports.join(', ')}`,
      severity: error,
      from: { path: below([room]) },
      to: { pathNot: [below([room, ...imports, 'node_modules'])], dependencyTypesNot: ['core' as const] },
    },
    ...(packages === undefined
      ? []
      : [
          {
            name: `${room} imports ${packages.length === 0 ? 'no package' : `of packages ${packages.join(', ')}`}`,
            severity: error,
            from: { path: below([room]) },
            to: { path: '^node_modules/', ...(packages.length === 0 ? {} : { pathNot: [packaged(packages)] }) },
          },
        ]),
    ...(isWithoutNode
      ? [
          {
            name: `${room} runs without Node`,
            severity: error,
            from: { path: below([room]) },
            to: { dependencyTypes: ['core' as const] },
          },
        ]
      : []),
  ]);
  const ofPackages = Object.entries(owners).map(([name, owner]) => ({
    name: `only ${owner} imports ${name}`,
    severity: error,
    from: { path: below(tops), pathNot: below([owner]) },
    to: { path: packaged([name]) },
  }));
  const homeless = {
    name: 'every file stands in a room',
    severity: error,
    from: { path: below(tops), pathNot: below(Object.keys(rooms)) },
    to: {},
  };
  const circle = {
    name: 'no circle of values',
    severity: error,
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only' as const] } },
  };
  const missing = {
    name: 'what is imported is there',
    severity: error,
    from: {},
    to: { couldNotResolve: true },
  };
  return [...ofRooms, ...ofPackages, homeless, circle, missing];
}

export interface BoundaryViolation {
  /** Paths from the top of the tree, with `/`. */
  file: string;
  imported: string;
  rule: string;
}

/** Every module in the rooms and what it imports, type-only imports too. */
async function modulesBelow(root: string, forbidden: ReturnType<typeof rules>) {
  const { cruise } = await import('dependency-cruiser');
  const { output } = await cruise(
    tops,
    {
      baseDir: root,
      ruleSet: { forbidden },
      validate: true,
      parser: 'swc',
      tsPreCompilationDeps: 'specify',
      doNotFollow: { path: '^node_modules/' },
      // Read by Vite and by JSON.parse, not by the readers of code.
      exclude: { path: '\\.(?:css|svg|png|json)$' },
    },
    {
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js'],
      conditionNames: ['import', 'types'],
      exportsFields: ['exports'],
    },
  );
  if (typeof output === 'string') throw new Error(output);
  return { modules: output.modules, violations: output.summary.violations };
}

/** What `import('…')` names in a source file: where it is a type, dependency-cruiser does not see it. */
const inlineImports = (source: string) =>
  [...source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1]!);

/** Checks every source file in the rooms of a tree. */
export async function violationsBelow(root: string): Promise<BoundaryViolation[]> {
  const { modules, violations } = await modulesBelow(root, rules());
  const broken = violations.map(({ from, to, rule, cycle }) => ({
    file: from,
    imported: cycle === undefined ? to : cycle.map(({ name }) => name).join(' → '),
    rule: rule.name,
  }));
  const isOfRooms = new RegExp(below(tops));
  const unread = modules
    .filter(({ source }) => isOfRooms.test(source))
    .flatMap(({ source, dependencies }) =>
      inlineImports(readFileSync(join(root, source), 'utf8'))
        .filter(
          (specifier) => !specifier.startsWith('node:') && !dependencies.some(({ module }) => module === specifier),
        )
        .map((imported) => ({ file: source, imported, rule: 'types are imported by statements' })),
    );
  return [...broken, ...unread];
}
