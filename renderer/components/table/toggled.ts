// What is open of a tree. Knows nothing of its nodes.

/** The set with what it has not, or without what it has. */
export function toggled(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(id)) next.add(id);
  return next;
}
