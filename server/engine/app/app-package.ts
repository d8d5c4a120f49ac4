// Opens an APK's archive, manifest and resource table, each broken part for itself. Knows no report.
import { corruptions as reasons } from '../../contract/catalogue/damage.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import type { Findings } from '../findings.ts';
import { parseResourceTable, type ResourceTable } from '../formats/arsc/resource-table.ts';
import { parseBinaryXml, type XmlDocument } from '../formats/axml/document.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { isDexAt } from '../formats/dex/header.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';
import { type Manifest, readManifest } from './manifest/manifest.ts';
import { archiveNote, otherType } from './package-kind.ts';

const manifestName = 'AndroidManifest.xml';
export const resourcesName = 'resources.arsc';

export interface AppPackage {
  readonly archive: ZipArchive;
  /** null where the file does not parse. */
  readonly document: XmlDocument | null;
  /** null where the file does not parse or holds no `manifest` element. */
  readonly manifest: Manifest | null;
  readonly resources: ResourceTable | null;
}

/** Runs one part of an analysis; where it fails, a finding `analysis-incomplete` says so and the rest goes on. */
export function attempt<T, Fallback>(
  findings: Findings,
  stage: string,
  fallback: Fallback,
  run: () => T,
): T | Fallback {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
    findings.add('analysis-incomplete', stage, error.message);
    return fallback;
  }
}

/**
 * Opens an APK.
 * @throws FormatError `not-a-zip` or `zip-limit` where there is no readable directory, `no-manifest` where there is no
 *   AndroidManifest.xml
 */
export function openPackage(source: ByteSource, findings: Findings): AppPackage {
  const archive = openArchive(source, findings);
  const manifestEntry = archive.get(manifestName);
  if (manifestEntry === undefined) {
    throw new FormatError('no-manifest', 0, `the archive has no ${manifestName}${archiveNote(archive)}`);
  }
  const document = attempt(findings, manifestName, null, () =>
    parseBinaryXml(archive.read(manifestEntry), findings, manifestName),
  );
  const resourcesEntry = archive.get(resourcesName);
  const resources =
    resourcesEntry === undefined
      ? null
      : attempt(findings, resourcesName, null, () => parseResourceTable(archive.read(resourcesEntry), findings));
  const manifest =
    document === null ? null : attempt(findings, manifestName, null, () => readManifest(document, resources, findings));
  return { archive, document, manifest, resources };
}

function openArchive(source: ByteSource, findings: Findings): ZipArchive {
  try {
    return openZip(source, findings);
  } catch (error) {
    const type = error instanceof FormatError && error.code === 'not-a-zip' ? otherType(source) : null;
    if (type === null) throw error;
    throw new FormatError('not-a-zip', 0, `the file is no ZIP archive, its content is ${type}`);
  }
}

/** The names under which Android looks for code: `classes.dex`, `classes2.dex` … without a gap. */
const dexName = /^classes(?:[2-9]|[1-9]\d+)?\.dex$/;

/** Root dex files by their number; those behind a gap, which Android does not load, are among them. */
export function dexEntries(archive: ZipArchive): ZipEntry[] {
  const numberOf = ({ name }: ZipEntry) => Number(/\d+/.exec(name)?.[0] ?? 1);
  return archive.entries
    .filter((entry) => dexName.test(entry.name) && archive.get(entry.name) === entry)
    .sort((left, right) => numberOf(left) - numberOf(right));
}

/**
 * Why an app counts as corrupted, as far as a glance tells; the signature's verification is added by the full analysis.
 * @param isSigned whether a signer's certificate could be read
 */
export function corruptionsOf({ archive, manifest }: AppPackage, findings: Findings, isSigned: boolean): string[] {
  const corruptions: string[] = [];
  if (manifest === null) corruptions.push('the manifest does not parse');
  const needsCode = manifest?.application.hasCode === true && manifest.splitName === null;
  if (needsCode && !dexEntries(archive).some((entry) => hasDexMagic(archive, entry, findings))) {
    corruptions.push('the app declares code and has no readable dex file');
  }
  if (!isSigned) corruptions.push(reasons.unsigned);
  return corruptions;
}

function hasDexMagic(archive: ZipArchive, entry: ZipEntry, findings: Findings): boolean {
  return attempt(findings, entry.name, false, () => isDexAt(archive.readPrefix(entry, 8)));
}
