// Folders made of the names in an archive. Knows names as data: none of them is ever a path on this machine.
import type { ArchiveEntryRecord } from '../../../../server/contract/engine/reports.ts';

export interface FileNode {
  /** The name's part at this level, empty where the name has an empty part. */
  name: string;
  /** Unique: the parts above, joined. */
  id: string;
  folders: Map<string, FileNode>;
  files: { name: string; index: number; entry: ArchiveEntryRecord }[];
  /** Files in it and below, and their bytes. */
  count: number;
  size: number;
}

/** Deeper names stay whole: thousands of levels would make a tree of thousands of times the names' length. */
const maxDepth = 24;

const makeNode = (name: string, id: string): FileNode => ({
  name,
  id,
  folders: new Map(),
  files: [],
  count: 0,
  size: 0,
});

/** @param entries with their places in the list that the server gave */
export function fileTree(entries: readonly { entry: ArchiveEntryRecord; index: number }[]): FileNode {
  const root = makeNode('', '/');
  for (const { entry, index } of entries) {
    const parts = entry.name.split('/');
    const depth = Math.min(parts.length - 1, maxDepth);
    let node = root;
    node.count++;
    node.size += entry.size;
    for (let at = 0; at < depth; at++) {
      const part = parts[at]!;
      let next = node.folders.get(part);
      if (next === undefined) {
        next = makeNode(part, `${node.id}${part}/`);
        node.folders.set(part, next);
      }
      node = next;
      node.count++;
      node.size += entry.size;
    }
    node.files.push({ name: parts.slice(depth).join('/'), index, entry });
  }
  return root;
}

const collator = new Intl.Collator('en', { numeric: true });

export const sortedFolders = (node: FileNode): FileNode[] =>
  [...node.folders.values()].sort((a, b) => collator.compare(a.name, b.name));
export const sortedFiles = (node: FileNode): FileNode['files'] =>
  node.files.sort((a, b) => collator.compare(a.name, b.name));
