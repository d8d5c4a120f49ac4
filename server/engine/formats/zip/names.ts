// Reports entry names and places that archives of honest origin do not have. Knows nothing of contents.
import type { Findings } from '../../findings.ts';
import { type DirectoryRecord, deflateMethod, type ZipEntry } from './directory.ts';
import type { ZipLimits } from './limits.ts';

/** Names under which Android looks for a file of the app's own. */
const specialName = /^(?:AndroidManifest\.xml|resources\.arsc|classes\d*\.dex)$/;
const localHeaderLength = 30;

/** Whether a name needs a closer look; nearly none does. */
const oddName = /^$|^\/|^[A-Za-z]:|[\0\\]|\.\./;

/** Reports names that climb out of a folder, deceive tools or cannot be unpacked. */
export function reportNames(
  entries: readonly DirectoryRecord[],
  byName: ReadonlyMap<string, ZipEntry>,
  findings: Findings,
  limits: ZipLimits,
): void {
  let folder = '';
  let isSpecialFolder = false;
  for (const { name, nameLength, size } of entries) {
    if (oddName.test(name)) reportOddName(name, findings);
    if (nameLength > limits.maxNameLength) {
      findings.add('zip-long-name', name, `the name has ${nameLength} bytes`);
    }
    const isFolder = name.endsWith('/');
    if (isFolder && size > 0) {
      findings.add('zip-directory-with-data', name, `a folder's name and ${size} bytes of content`);
    }
    const slash = name.indexOf('/');
    if (slash <= 0) continue;
    // Entries of one folder mostly stand together.
    if (slash !== folder.length || !name.startsWith(folder)) {
      folder = name.slice(0, slash);
      isSpecialFolder = specialName.test(folder);
    }
    if (isSpecialFolder) {
      const evidence = `${folder} is used as a folder, which hinders tools that unpack`;
      const victim = byName.has(folder) ? ' the file of that name' : '';
      findings.add('zip-special-name-as-folder', name, evidence + victim);
    } else if (isFolder && byName.has(name.slice(0, -1))) {
      findings.add('zip-file-and-folder', name, 'a file of the same name exists');
    }
  }
}

function reportOddName(name: string, findings: Findings): void {
  if (name === '') findings.add('zip-empty-name', name, 'the entry has no name');
  if (name.includes('\0')) {
    findings.add('zip-name-nul', name, 'the name contains a NUL; Android refuses such an archive');
  }
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(name)) {
    findings.add('zip-absolute-name', name, 'the name is an absolute path');
  }
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(name)) {
    findings.add('zip-path-traversal', name, 'the name climbs out of its folder');
  }
  if (name.includes('\\')) findings.add('zip-name-backslash', name, 'the name contains a backslash');
}

/** Reports entries that share bytes: two views of the same data, or a bomb. */
export function reportOverlaps(entries: readonly DirectoryRecord[], directoryOffset: number, findings: Findings): void {
  // Honest archives list their entries in the order in which they stand.
  const isOrdered = entries.every(
    ({ localHeaderOffset }, index) => index === 0 || entries[index - 1]!.localHeaderOffset <= localHeaderOffset,
  );
  const ordered = isOrdered ? entries : entries.toSorted((a, b) => a.localHeaderOffset - b.localHeaderOffset);
  let end = 0;
  let owner = '';
  for (const entry of ordered) {
    const start = entry.localHeaderOffset;
    if (start >= directoryOffset) {
      findings.add(
        'zip-bad-local-offset',
        entry.name,
        `the local header is said to stand at 0x${start.toString(16)}, not before the central directory`,
      );
      continue;
    }
    if (start < end) findings.add('zip-overlapping-entries', entry.name, `shares bytes with ${owner}`);
    const length = entry.method === deflateMethod ? entry.compressedSize : Math.min(entry.size, entry.compressedSize);
    // Without the local extra field, whose length only the local header knows: a lower bound.
    const entryEnd = start + localHeaderLength + entry.nameLength + length;
    if (entryEnd > end) {
      end = entryEnd;
      owner = entry.name;
    }
  }
}
