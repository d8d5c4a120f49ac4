// Writes what the program says about its parts: the bill of materials, the third parties' notices. Part of the build of the
// interface, since only that knows which packages the interface is made of.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { shippedPackages } from './locked-packages.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

/**
 * The path of the package that a bundled module is of, null for our own.
 * @param module its id, as the bundler names it; files of the bundler itself begin with `\0`
 */
function packageOfModule(module: string): string | null {
  if (module.startsWith('\0vite')) return 'node_modules/vite';
  return /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0].replace(/^.*?(?=node_modules\/)/, '') ?? null;
}

/** @param bundled ids of the modules in the interface */
export function writePapers(root: string, bundled: Iterable<string>): void {
  const packages = [...bundled].map(packageOfModule).filter((path) => path !== null);
  const shipped = shippedPackages(root, packages);
  const program = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const folder = join(root, 'dist/papers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bill-of-materials.cdx.json'), billOfMaterials(program, shipped));
  writeFileSync(join(folder, 'third-party-notices.txt'), thirdPartyNotices(root, shipped));
}
