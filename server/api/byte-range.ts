// Reads the Range header of a request (RFC 9110 section 14). Knows nothing of what is sent.

/** `[start, end)` in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * @returns the one range that is asked for; null where the whole is to be sent (no range, several, or a form that is
 *   not understood); `unsatisfiable` where nothing of the file is in it
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
