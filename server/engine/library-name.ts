// What a library's archive says that it is called: Maven's description of it, its manifest, an app's package. Knows no code.
import type { LibraryMethods } from '../contract/engine/library-methods.ts';
import type { ByteSource } from '../vault/byte-source.ts';
import { openPackage } from './app/app-package.ts';
import { Findings } from './findings.ts';
import type { ZipArchive, ZipEntry } from './formats/zip/archive.ts';

type Named = Pick<LibraryMethods, 'name' | 'version'>;

const unnamed: Named = { name: null, version: null };
/** Characters of a name. */
const maxName = 200;
const maxDescription = 256 * 1024;

/** Names stand in lists, on screens and in logs: what cannot be seen goes. */
function readable(text: string | undefined): string | null {
  const clean = (text ?? '').replace(/[^\x20-\x7e\u00a1-\uffef]/g, '').trim();
  return clean === '' ? null : clean.slice(0, maxName);
}

const textOf = (archive: ZipArchive, entry: ZipEntry): string =>
  entry.size > maxDescription ? '' : Buffer.from(archive.read(entry)).toString('utf8');

/** `key=value` or `Key: value` on lines of their own. */
const lineOf = (text: string, key: string): string | undefined =>
  text.match(new RegExp(`^${key}\\s*[=:]\\s*([^\\r\\n]{1,1000})`, 'm'))?.[1];

/** One with several descriptions has others packed in: none of them is its own. */
function ofMaven(archive: ZipArchive): Named {
  const descriptions = archive.entries.filter(({ name }) => /^META-INF\/maven\/.+\/pom\.properties$/.test(name));
  if (descriptions.length !== 1) return unnamed;
  const text = textOf(archive, descriptions[0]!);
  return { name: readable(lineOf(text, 'artifactId')), version: readable(lineOf(text, 'version')) };
}

function ofManifest(archive: ZipArchive): Named {
  const entry = archive.get('META-INF/MANIFEST.MF');
  if (entry === undefined) return unnamed;
  const text = textOf(archive, entry);
  const name = lineOf(text, 'Implementation-Title') ?? lineOf(text, 'Bundle-SymbolicName')?.split(';')[0];
  return {
    name: readable(name),
    version: readable(lineOf(text, 'Implementation-Version') ?? lineOf(text, 'Bundle-Version')),
  };
}

/** Of a JAR or an AAR. */
export function archiveName(archive: ZipArchive): Named {
  const maven = ofMaven(archive);
  return maven.name === null ? ofManifest(archive) : maven;
}

/** Of an app: the libraries in it are called by it. */
export function appName(source: ByteSource): Named {
  const { manifest } = openPackage(source, new Findings());
  return { name: readable(manifest?.packageName), version: readable(manifest?.versionName) };
}
