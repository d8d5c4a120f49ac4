// Which classes of an app are surely its own, as its manifest tells. Knows no code.
import { isKnownLibrary } from './known-libraries.ts';
import type { Manifest } from './manifest/manifest.ts';

const packageOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
/** Where obfuscators put all code, that of libraries too. */
const isMixed = (packagePath: string): boolean => packagePath.split('/').every((part) => part.length <= 2);

/**
 * Whether a class, `com/example/app/Main`, is the app's own, by rules of which the surest comes first: it is in the package that
 * the app is called by, or beside what runs first when the app is started. Obfuscators leave names in a manifest alone, or tell
 * the manifest the new ones.
 */
export function ownCode(manifest: Manifest | null): ((path: string) => boolean)[] {
  if (manifest === null) return [];
  const { packageName, application, mainActivities } = manifest;
  const root = `${packageName.replaceAll('.', '/')}/`;
  const started = [application.name ?? '', ...mainActivities]
    .map((name) => name.replaceAll('.', '/'))
    .filter((path) => path !== '' && !isKnownLibrary(`L${path};`, packageName));
  const classes = new Set(started);
  const packages = new Set(started.map(packageOf).filter((path) => !isMixed(path)));
  return [
    (path) => path.startsWith(root),
    (path) => packages.has(packageOf(path)) || classes.has(path.replace(/\$.*$/, '')),
  ];
}
