// The rule of which room may import which. Reads import statements as text; knows nothing of what the code does.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

/** Each room with the rooms that it may import besides itself; `packages` lists npm packages where they are restricted. */
const rooms: Record<string, { imports: string[]; packages?: string[] }> = {
  'server/contract': { imports: [], packages: ['zod'] },
  'server/vault': { imports: [], packages: [] },
  'server/engine': {
    imports: ['server/contract', 'server/vault'],
    packages: ['@virustotal/yara-x', '@litko/yara-x-linux-x64-gnu', '@zip.js/zip.js', 'zod'],
  },
  'server/store': { imports: ['server/contract', 'server/vault'] },
  'server/jobs': { imports: ['server/store', 'server/contract'] },
  'server/search': { imports: ['server/store', 'server/contract'] },
  'server/services': {
    imports: ['server/store', 'server/jobs', 'server/search', 'server/vault', 'server/contract'],
  },
  'server/api': { imports: ['server/services', 'server/contract'] },
  'server/app': {
    imports: [
      'server/api',
      'server/services',
      'server/search',
      'server/jobs',
      'server/store',
      'server/engine',
      'server/vault',
      'server/contract',
    ],
  },
  main: { imports: ['server/app'] },
  renderer: { imports: ['server/contract'] },
};

/** Packages that only one room may name. */
const exclusivePackages: Record<string, string> = { electron: 'main', 'better-sqlite3': 'server/store' };

export interface BoundaryViolation {
  file: string;
  imported: string;
  reason: string;
}

/** Module specifiers of static and dynamic imports and re-exports, type-only ones too. */
function specifiersOf(source: string): string[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+)(['"])([^'"\n]+)\1/gm;
  return [...withoutComments.matchAll(pattern)].map((match) => match[2]!);
}

const roomOf = (path: string) => Object.keys(rooms).find((room) => path === room || path.startsWith(`${room}/`));

/**
 * Checks one source file.
 * @param file path from the top of the tree, with `/`
 */
export function violationsIn(file: string, source: string): BoundaryViolation[] {
  const room = roomOf(file);
  if (room === undefined) return [];
  const { imports, packages } = rooms[room]!;
  const violations: BoundaryViolation[] = [];
  const report = (imported: string, reason: string) => violations.push({ file, imported, reason });
  for (const specifier of specifiersOf(source)) {
    if (specifier.startsWith('node:')) continue;
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(file), specifier);
      const targetRoom = roomOf(target);
      if (targetRoom === room || /\.(css|svg|png|json)$/.test(target)) continue;
      if (targetRoom === undefined || !imports.includes(targetRoom)) {
        report(target, `${room} may import ${imports.length === 0 ? 'no other room' : imports.join(', ')}`);
      }
      continue;
    }
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    const owner = exclusivePackages[name];
    if (owner !== undefined && owner !== room) report(name, `only ${owner} may import ${name}`);
    else if (packages !== undefined && !packages.includes(name))
      report(name, `${room} may not import the package ${name}`);
  }
  return violations;
}

/** Checks every source file below the rooms of a tree. */
export function violationsBelow(root: string): BoundaryViolation[] {
  const violations: BoundaryViolation[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (/\.(c|m)?tsx?$|\.(c|m)?jsx?$/.test(entry.name)) {
        violations.push(...violationsIn(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')));
      }
    }
  };
  for (const top of new Set(Object.keys(rooms).map((room) => room.split('/')[0]!))) visit(join(root, top));
  return violations;
}

export const treeRoot = dirname(dirname(import.meta.dirname));
