// How messages become bytes on the process line: JSON text with binary attachments, in frames of bounded length. Knows no
// message, and nothing of what carries the bytes.

export interface FrameLimits {
  /** Bytes of the JSON text. */
  text: number;
  /** Bytes of all attachments together. */
  attached: number;
}

/** What came over the line, or was to be sent, may not be there. The message says why, and holds nothing of it. */
export class LineFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LineFault';
  }
}

/** Lengths of the JSON text and of all attachments together, as unsigned 32 bits in little endian, stand before them. */
const headLength = 8;
/** A reply holds some reports, or the compiled forms of some thousand rulesets. */
const maxAttachments = 20_000;
const maxPathLength = 10;

/** Where in the message the bytes belong, which is null there, and how many they are. */
interface Attachment {
  at: (string | number)[];
  length: number;
}
interface FrameText {
  message: unknown;
  attachments: Attachment[];
}

/**
 * Lays out one message. Every Uint8Array in it travels as it is, beside the JSON text.
 * @returns the pieces of the frame, in order
 * @throws LineFault where it would be larger than may be
 */
export function encodeFrame(message: unknown, limits: FrameLimits): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const attachments: Attachment[] = [];
  const at: (string | number)[] = [];
  const withoutBytes = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Uint8Array) {
      pieces.push(value);
      attachments.push({ at: [...at], length: value.length });
      return null;
    }
    const inner = (key: string | number, item: unknown) => {
      at.push(key);
      const plain = withoutBytes(item);
      at.pop();
      return plain;
    };
    if (Array.isArray(value)) return value.map((item, index) => inner(index, item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(key, item)]));
  };
  const text = new TextEncoder().encode(JSON.stringify({ message: withoutBytes(message), attachments }));
  const attached = pieces.reduce((sum, { length }) => sum + length, 0);
  checkLengths(text.length, attached, limits);
  const head = new DataView(new ArrayBuffer(headLength));
  head.setUint32(0, text.length, true);
  head.setUint32(4, attached, true);
  return [new Uint8Array(head.buffer), text, ...pieces];
}

function checkLengths(text: number, attached: number, limits: FrameLimits): void {
  if (text > limits.text) throw new LineFault(`a message of ${text} bytes, more than ${limits.text}`);
  if (attached > limits.attached) throw new LineFault(`${attached} bytes with a message, more than ${limits.attached}`);
}

/** Puts messages together from the bytes of a line, however they are cut. Holds one frame at most. */
export class FrameReader {
  #head = new Uint8Array(headLength);
  /** Null until the head of a frame is complete. */
  #body: Uint8Array | null = null;
  #textLength = 0;
  /** Bytes of the head, or of the body, that are there. */
  #filled = 0;

  /**
   * @param limits asked at the head of each frame; null: no message may come now
   * @returns the messages that are complete, each read when it is asked for, with the bytes that it took
   * @throws LineFault after which nothing can be read of this line
   */
  *read(chunk: Uint8Array, limits: () => FrameLimits | null): Generator<{ message: unknown; size: number }> {
    let rest = chunk;
    while (rest.length > 0) {
      const target: Uint8Array = this.#body ?? this.#head;
      const part = rest.subarray(0, target.length - this.#filled);
      target.set(part, this.#filled);
      this.#filled += part.length;
      rest = rest.subarray(part.length);
      if (this.#filled < target.length) return;
      this.#filled = 0;
      if (this.#body === null) this.#begin(limits());
      else yield { message: this.#end(this.#body), size: target.length };
    }
  }

  #begin(limits: FrameLimits | null): void {
    if (limits === null) throw new LineFault('a message that nobody asked for');
    const head = new DataView(this.#head.buffer);
    this.#textLength = head.getUint32(0, true);
    const attached = head.getUint32(4, true);
    checkLengths(this.#textLength, attached, limits);
    if (this.#textLength === 0) throw new LineFault('a message without text');
    // The system hands out memory as it is filled: what is announced and never sent takes none.
    this.#body = new Uint8Array(this.#textLength + attached);
  }

  #end(body: Uint8Array): unknown {
    this.#body = null;
    const { message, attachments } = frameText(body.subarray(0, this.#textLength));
    // A message may be null itself: it stands in a place of its own.
    const root = { message };
    let start = this.#textLength;
    for (const { at, length } of attachments) {
      if (start + length > body.length) throw new LineFault('attachments beyond the end of the frame');
      attach(root, at, body.subarray(start, start + length));
      start += length;
    }
    if (start !== body.length) throw new LineFault('bytes that nothing in the message stands for');
    return root.message;
  }
}

function frameText(bytes: Uint8Array): FrameText {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new LineFault('text that is no JSON');
  }
  const { message, attachments } = (parsed ?? {}) as Partial<FrameText>;
  if (message === undefined || !Array.isArray(attachments) || attachments.length > maxAttachments)
    throw new LineFault('JSON that is no message');
  if (!attachments.every(isAttachment)) throw new LineFault('a malformed attachment');
  return { message, attachments };
}

function isAttachment(value: unknown): value is Attachment {
  const { at, length } = (value ?? {}) as Partial<Attachment>;
  if (!Array.isArray(at) || at.length > maxPathLength || !Number.isInteger(length) || length! < 0) return false;
  return at.every((key) => typeof key === 'string' || typeof key === 'number');
}

/** Follows own properties alone: what every object inherits is no place in a message. */
function attach(root: { message: unknown }, at: Attachment['at'], bytes: Uint8Array): void {
  let place: object = root;
  let key: string | number = 'message';
  for (const next of at) {
    const inner: unknown = Reflect.get(place, key);
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, next))
      throw new LineFault('an attachment that belongs nowhere');
    place = inner;
    key = next;
  }
  if (Reflect.get(place, key) !== null) throw new LineFault('an attachment in the place of something else');
  Reflect.set(place, key, bytes);
}
