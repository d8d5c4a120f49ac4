// A JSON value as lines: what is open, or what holds a text. Knows JSON, not what it means.

export interface JsonLine {
  path: string;
  depth: number;
  name: string;
  value: unknown;
  /** Number of members of an object or array, null for anything else. */
  members: number | null;
  isOpen: boolean;
}

/** Deeper than any of our reports; anything deeper is shown as text. */
const maxDepth = 60;
/** More lines than anybody reads; a text that is in all of them is no filter. */
export const maxFound = 5_000;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Each open object and array with its members.
 * @param text where it is not empty, only what holds it in its name or value, with what that stands in; what is open
 *   shows all of its members then, too
 */
export function jsonLines(root: unknown, open: ReadonlySet<string>, text = ''): JsonLine[] {
  const wanted = text.toLowerCase();
  const holds = (part: string) => part.toLowerCase().includes(wanted);
  const lines: JsonLine[] = [];
  /** @returns whether the value or one inside it is shown */
  const visit = (value: unknown, name: string, path: string, depth: number, isShown: boolean): boolean => {
    if (wanted !== '' && lines.length >= maxFound) return false;
    const isInner = isContainer(value) && depth < maxDepth;
    const members = isInner ? (Array.isArray(value) ? value.length : Object.keys(value).length) : null;
    const isHit =
      isShown || holds(name) || (!isInner && holds(typeof value === 'string' ? value : JSON.stringify(value)));
    const line: JsonLine = { path, depth, name, value, members, isOpen: isInner && open.has(path) };
    const at = lines.push(line);
    if (!isInner) {
      if (!isHit) lines.pop();
      return isHit;
    }
    let hasInside = false;
    // Inside what is closed only a text leads to a line.
    if (line.isOpen || wanted !== '') {
      for (const [key, item] of Object.entries(value)) {
        hasInside = visit(item, key, `${path}/${key}`, depth + 1, open.has(path)) || hasInside;
      }
    }
    line.isOpen ||= hasInside;
    if (!isHit && !hasInside) lines.length = at - 1;
    return isHit || hasInside;
  };
  if (isContainer(root)) {
    for (const [key, item] of Object.entries(root)) visit(item, key, `/${key}`, 0, wanted === '');
  }
  return lines;
}
