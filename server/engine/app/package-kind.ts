// Says what a file is that is no app of its own: a part of one, a library, what apps are built from, or no archive at
// all. Knows no report.
import type { FindingCode } from '../../contract/findings/finding-catalogue.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import type { Findings } from '../findings.ts';
import type { ZipArchive } from '../formats/zip/archive.ts';
import { contentType, sniffLength } from './content-type.ts';
import type { Manifest } from './manifest/manifest.ts';

const where = 'AndroidManifest.xml';
const maxNameShown = 100;

/** Types that are too vague to name. */
const vague: ReadonlySet<string> = new Set(['zip', 'data', 'empty']);

/** What a file that is no archive is by its first bytes, `rar`; null where they do not tell. */
export function otherType(source: ByteSource): string | null {
  const type = contentType(source.read(0, sniffLength), source.size);
  return vague.has(type) ? null : type;
}

/**
 * What an archive without a manifest of its own is, as the end of a sentence, where its names tell: APKs in one file, or
 * what they are built from.
 */
export function archiveNote(archive: ZipArchive): string {
  const apks = archive.entries.filter(({ name }) => name.toLowerCase().endsWith('.apk'));
  if (apks.length > 0) return `; it is a container of APKs (${apks.length}: ${apks[0]!.name.slice(0, maxNameShown)} …)`;
  if (archive.get('base/manifest/AndroidManifest.xml') !== undefined) {
    return '; it is an Android App Bundle, from which APKs have to be built';
  }
  if (archive.get('manifest/AndroidManifest.xml') !== undefined) {
    return '; it is a module of an Android App Bundle, from which APKs have to be built';
  }
  const [module] = ['original_apex', 'apex_payload.img'].filter((name) => archive.get(name) !== undefined);
  return module === undefined ? '' : `; it is a system module (APEX) around ${module}`;
}

/** Reports packages that install only together with others, or not at all. */
export function reportPackageKind(archive: ZipArchive, manifest: Manifest | null, findings: Findings): void {
  const add = (code: FindingCode, evidence: string) => findings.add(code, where, evidence);
  if (archive.get('apex_payload.img') !== undefined) add('package-system-module', 'apex_payload.img');
  if (manifest === null) {
    const [source] = ['resources.pb', 'classes.jar'].filter((name) => archive.get(name) !== undefined);
    if (source !== undefined) add('package-unbuilt', source);
    return;
  }
  const { splitName, isFeatureSplit, configForSplit, overlay, staticLibrary, sdkLibrary } = manifest;
  if (splitName !== null) {
    const whose = configForSplit === null ? '' : ` of ${configForSplit}`;
    add('package-split', `${isFeatureSplit ? 'feature' : 'configuration'} ${splitName}${whose}`);
  } else if (manifest.isSplitRequired) add('package-base', 'android:isSplitRequired or android:requiredSplitTypes');
  if (overlay !== null) {
    const group = overlay.targetName === null ? '' : `, ${overlay.targetName}`;
    const rank = `priority ${overlay.priority}${overlay.isStatic ? ', static' : ''}`;
    add('package-overlay', `${overlay.targetPackage}${group}, ${rank}`);
  }
  for (const [kind, library] of [
    ['static', staticLibrary],
    ['SDK', sdkLibrary],
  ] as const) {
    if (library !== null) add('package-library', `${kind} library ${library.name}, version ${library.version ?? ''}`);
  }
  for (const name of manifest.libraries) add('package-library', `shared library ${name}`);
}
