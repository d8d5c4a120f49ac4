// Reads lists of hashes as others publish them: NSRL (RDSv2, exports of RDSv3), MalwareBazaar, one hash per line. Keeps nothing.

export interface ListedHash {
  /** MD5, SHA-1 or SHA-256: the longest that the line has. */
  digest: Buffer;
  /** Malware family or product; empty where the list tells none. */
  name: string;
}

/** Longer lines are no entries of a list. */
const maxLine = 64 * 1024;
const lineFeed = 10;
const digestColumns = ['sha256', 'sha1', 'md5'];
const nameColumns = ['signature', 'family', 'malware', 'product', 'publisher', 'name'];
const digest = /^(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})$/i;

/** Fields of a line: CSV of RFC 4180, also after `;` or tabs, or words as `sha256sum` prints them. */
function fieldsOf(line: string): string[] {
  const separator = line.match(/[,;\t]/)?.[0];
  if (separator === undefined) return line.trim().split(/\s+/).map(unquoted);
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    while (line[at] === ' ') at += 1;
    let end = at;
    if (line[at] === '"') {
      end += 1;
      while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1;
    }
    const next = line.indexOf(separator, end);
    const stop = next < 0 ? line.length : next;
    fields.push(unquoted(line.slice(at, stop).trim()));
    at = stop + 1;
  }
  return fields;
}

const unquoted = (text: string) =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;

/** Fingerprints of certificates are written with colons too. */
const bareDigest = (text: string) => (text[2] === ':' ? text.replaceAll(':', '') : text);

/** `"SHA-1"`, `sha1_hash` and `sha1` are the same column. */
const columnName = (text: string) =>
  text
    .toLowerCase()
    .replace(/_hash$/, '')
    .replaceAll(/[^a-z0-9]/g, '');

interface Columns {
  digests: number[];
  name: number;
}

function columnsOf(fields: readonly string[]): Columns | null {
  const names = fields.map(columnName);
  const digests = digestColumns.map((column) => names.indexOf(column)).filter((place) => place >= 0);
  if (digests.length === 0) return null;
  const name = nameColumns.map((column) => names.indexOf(column)).find((place) => place >= 0) ?? -1;
  return { digests, name };
}

const nameIn = (text = '') => (/^(?:n\/a|null|none|unknown|-)?$/i.test(text) ? '' : text.slice(0, 200));

/** Reads one line after another; a header, also one behind `#`, says what the columns after it are. */
export class HashListLines {
  /** Lines so far. */
  count = 0;
  /** Lines that say no hash, and the first of them, from 1. */
  unreadable = 0;
  firstUnreadable = 0;
  #columns: Columns | null = null;

  /** The hash of a line; null where it has none. */
  read(text: string): ListedHash | null {
    this.count += 1;
    const line = (this.count === 1 ? text.replace(/^\uFEFF/, '') : text).trim();
    if (line === '') return null;
    if (line.startsWith('#')) {
      this.#columns = columnsOf(fieldsOf(line.replace(/^#+\s*/, ''))) ?? this.#columns;
      return null;
    }
    const fields = fieldsOf(line);
    const places = this.#columns?.digests ?? [...fields.keys()];
    const found = places.map((place) => bareDigest(fields[place] ?? '')).filter((field) => digest.test(field));
    const longest = found.sort((one, other) => other.length - one.length)[0];
    if (longest !== undefined) {
      const name = this.#columns === null ? '' : nameIn(fields[this.#columns.name]);
      return { digest: Buffer.from(longest, 'hex'), name };
    }
    const header = columnsOf(fields);
    if (header === null) this.skip();
    else this.#columns = header;
    return null;
  }

  /** Counts the last line as one that says no hash. */
  skip(): void {
    this.unreadable += 1;
    if (this.firstUnreadable === 0) this.firstUnreadable = this.count;
  }
}

/** The hashes of a list, piece by piece as its bytes come; a line that is too long is skipped and never held. */
export async function* listedHashes(
  bytes: AsyncIterable<Uint8Array>,
  lines: HashListLines,
): AsyncGenerator<ListedHash[]> {
  let rest = Buffer.alloc(0);
  let isTooLong = false;
  for await (const piece of bytes) {
    const held = Buffer.concat([rest, piece]);
    const found: ListedHash[] = [];
    let from = 0;
    for (let end = held.indexOf(lineFeed); end >= 0; end = held.indexOf(lineFeed, from)) {
      const isSkipped = isTooLong || end - from > maxLine;
      isTooLong = false;
      const hash = lines.read(isSkipped ? '' : held.toString('utf8', from, end));
      if (isSkipped) lines.skip();
      if (hash !== null) found.push(hash);
      from = end + 1;
    }
    rest = held.subarray(from);
    if (rest.length > maxLine) {
      isTooLong = true;
      rest = Buffer.alloc(0);
    }
    yield found;
  }
  if (rest.length === 0 && !isTooLong) return;
  const hash = lines.read(isTooLong ? '' : rest.toString());
  if (isTooLong) lines.skip();
  if (hash !== null) yield [hash];
}
