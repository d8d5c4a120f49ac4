// Reports entry names and places that archives of honest origin do not have. Knows nothing of contents.
import type { Findings } from '../../findings.ts';
import { deflateMethod, type ZipEntry } from './directory.ts';
import type { ZipLimits } from './limits.ts';

/** Names under which Android looks for a file of the app's own. */
const specialName = /^(?:AndroidManifest\.xml|resources\.arsc|classes\d*\.dex)$/;
const localHeaderLength = 30;

/** Reports names that climb out of a folder, deceive tools or cannot be unpacked. */
export function reportNames(
  entries: readonly ZipEntry[],
  byName: ReadonlyMap<string, ZipEntry>,
  findings: Findings,
  limits: ZipLimits,
): void {
  for (const entry of entries) {
    const { name } = entry;
    const add = (code: string, severity: 'low' | 'medium' | 'high', evidence: string) =>
      findings.add(code, severity, name, evidence);
    if (name === '') add('zip-empty-name', 'medium', 'the entry has no name');
    if (name.includes('\0')) add('zip-name-nul', 'high', 'the name contains a NUL; Android refuses such an archive');
    if (name.startsWith('/') || /^[A-Za-z]:[\\/]/.test(name))
      add('zip-absolute-name', 'medium', 'the name is an absolute path');
    if (name.includes('..') && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(name))
      add('zip-path-traversal', 'high', 'the name climbs out of its folder');
    if (name.includes('\\')) add('zip-name-backslash', 'low', 'the name contains a backslash');
    if (entry.nameBytes.length > limits.maxNameLength)
      add('zip-long-name', 'low', `the name has ${entry.nameBytes.length} bytes`);
    if (name.endsWith('/') && entry.size > 0)
      add('zip-directory-with-data', 'medium', `a folder's name and ${entry.size} bytes of content`);
    const slash = name.indexOf('/');
    if (slash > 0) {
      const first = name.slice(0, slash);
      if (specialName.test(first)) {
        add(
          'zip-special-name-as-folder',
          'high',
          `${first} is used as a folder, which hinders tools that unpack${byName.has(first) ? ' the file of that name' : ''}`,
        );
      } else if (name.endsWith('/') && byName.has(name.slice(0, -1))) {
        add('zip-file-and-folder', 'medium', 'a file of the same name exists');
      }
    }
  }
}

/** Reports entries that share bytes: two views of the same data, or a bomb. */
export function reportOverlaps(entries: readonly ZipEntry[], directoryOffset: number, findings: Findings): void {
  const ordered = entries.slice().sort((a, b) => a.localHeaderOffset - b.localHeaderOffset);
  let end = 0;
  let owner = '';
  for (const entry of ordered) {
    const start = entry.localHeaderOffset;
    if (start >= directoryOffset) {
      findings.add(
        'zip-bad-local-offset',
        'medium',
        entry.name,
        `the local header is said to stand at 0x${start.toString(16)}, not before the central directory`,
      );
      continue;
    }
    if (start < end) findings.add('zip-overlapping-entries', 'high', entry.name, `shares bytes with ${owner}`);
    const length = entry.method === deflateMethod ? entry.compressedSize : Math.min(entry.size, entry.compressedSize);
    // Without the local extra field, whose length only the local header knows: a lower bound.
    const entryEnd = start + localHeaderLength + entry.nameBytes.length + length;
    if (entryEnd > end) {
      end = entryEnd;
      owner = entry.name;
    }
  }
}
