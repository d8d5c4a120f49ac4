// How the app decodes servers' answers, by Base64, by ciphers with its own keys or by its own code, and answers encoded so
// that it can. Knows no machine.
import { isUtf8 } from 'node:buffer';
import type { Sealing } from '../java/hooks.ts';
import { byteCipher } from './byte-ciphers.ts';

/** Layers of one answer at most: decode, decrypt, decode again. */
const maxLayers = 4;
/** Places whose answers the app opens. */
const maxPlaces = 500;
/** Answers remembered, in each of their layers; the oldest make room. */
const maxStages = 500;
/** Bytes of an answer that is remembered. */
const maxLength = 1 << 16;
/** Shorter texts can be readable by chance. */
const minMade = 8;
/** Answers that the app may still be opening; the oldest make room. */
const maxExpected = 32;
/** Control characters, which no text has. */
const unspoken = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
/** Answers, or values in them, that were encoded by a guess and not yet confirmed. */
const maxUnproved = 6;
/** Apps send the initialisation vector in front of the ciphertext. */
const maxVector = 16;

/** An answer after the app has opened so many layers. */
interface Stage {
  readonly place: string;
  readonly depth: number;
  readonly content: Buffer;
}

/** The inverse of one layer, and the initialisation vector in front of it, if any. */
interface Layer {
  readonly sealing: Sealing;
  readonly vectorLength: number;
  /** Answers left to confirm a guess; null for what is certain. */
  unproved: number | null;
}

const hexadecimal: Sealing = { vector: null, seal: (content) => Buffer.from(Buffer.from(content).toString('hex')) };

/** Apps that read by line may join the lines with other separators. */
const keyOf = (content: Buffer): string => content.toString('latin1').replace(/\s+/g, '');

/** Whether bytes look like readable text, in UTF-8 or Latin-1. */
function isReadable(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return !unspoken.test(Buffer.from(bytes).toString());
  const accented = bytes.reduce((count, byte) => count + (byte >> 7), 0);
  return accented * 2 < bytes.length && !unspoken.test(Buffer.from(bytes).toString('latin1'));
}

export class SealedAnswers {
  readonly #layers = new Map<string, Layer[]>();
  readonly #stages = new Map<string, Stage>();
  /** The last answers that nothing opens further, by their length. */
  readonly #innermost = new Map<number, Stage>();
  /** Places about which a guess was wrong. */
  readonly #refused = new Set<string>();

  /** Whether the app opens what a place answers. */
  isSealed(place: string): boolean {
    return this.#layers.has(place);
  }

  /** The answer of a place as it is sent, remembered in every layer. */
  seal(place: string, text: string): Buffer {
    const layers = this.#layers.get(place) ?? [];
    this.#doubt(place, layers);
    let content: Buffer = Buffer.from(text);
    const whole: Stage = { place, depth: layers.length, content };
    this.#remember(whole);
    this.#expect(whole);
    for (let depth = layers.length - 1; depth >= 0; depth--) {
      const { sealing, vectorLength } = layers[depth]!;
      const vector = Buffer.alloc(vectorLength, 'v');
      content = Buffer.concat([vector, sealing.seal(content, vectorLength === 0 ? sealing.vector : vector)]);
      this.#remember({ place, depth, content });
    }
    return content;
  }

  /** The app decodes something; where that is an answer, the next one of that place is encoded to fit. */
  opened(content: Uint8Array, sealing: Sealing): void {
    if (this.#stages.size === 0 || content.length > maxLength) return;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const whole = this.#stages.get(keyOf(bytes));
    const stage = whole ?? this.#withVector(bytes, sealing);
    if (stage === undefined) return;
    const vectorLength = stage.content.length - (whole ?? { content: bytes }).content.length;
    this.#add(stage, { sealing, vectorLength, unproved: null });
  }

  /** The app parsed other text as hexadecimal digits: an answer that begins with that text should have been hexadecimal. */
  soughtDigits(text: string): void {
    if (this.#innermost.size === 0 || text === '' || text.length > 2) return;
    const stage = [...this.#innermost.values()].findLast(
      ({ content }) => content.toString('latin1', 0, text.length) === text,
    );
    if (stage !== undefined) this.#add(stage, { sealing: hexadecimal, vectorLength: 0, unproved: null });
  }

  /**
   * The app made a text of so many bytes. Where it differs from the answer of that length, the app's own code decoded it
   * where it is the same, a guess was right.
   */
  made(length: number, bytes: () => Uint8Array | null): void {
    const stage = this.#innermost.get(length);
    const content = stage === undefined ? null : bytes();
    if (stage === undefined || content === null || this.#refused.has(stage.place)) return;
    const layers = this.#layers.get(stage.place) ?? [];
    if (stage.depth !== layers.length) return;
    const last = layers.at(-1);
    if (stage.content.equals(content)) {
      if (last !== undefined) last.unproved = null;
      return;
    }
    if (last === undefined || last.unproved === null) {
      // A readable text cannot be the result of decoding an answer that was never encoded.
      if (!isReadable(content))
        this.#add(stage, { sealing: byteCipher(stage.content, content), vectorLength: 0, unproved: maxUnproved });
      return;
    }
    // A longer answer than the one that the guess came from shows more of the key.
    if (!stage.content.subarray(0, minMade).equals(content.subarray(0, minMade))) return;
    const sealed = last.sealing.seal(stage.content, null);
    layers[layers.length - 1] = { ...last, sealing: byteCipher(sealed, content) };
  }

  #expect(stage: Stage): void {
    const { length } = stage.content;
    if (length < minMade || length > maxLength) return;
    this.#innermost.delete(length);
    this.#innermost.set(length, stage);
    if (this.#innermost.size > maxExpected) this.#innermost.delete(this.#innermost.keys().next().value!);
  }

  #add({ place, depth }: Stage, layer: Layer): void {
    const layers = this.#layers.get(place) ?? [];
    if (depth !== layers.length || layers.length >= maxLayers) return;
    if (layers.length === 0 && this.#layers.size >= maxPlaces) return;
    layers.push(layer);
    this.#layers.set(place, layers);
  }

  /** Drops a guess that was not confirmed in time. */
  #doubt(place: string, layers: Layer[]): void {
    const last = layers.at(-1);
    if (last === undefined || last.unproved === null) return;
    last.unproved -= 1;
    if (last.unproved >= 0) return;
    layers.pop();
    if (layers.length === 0) this.#layers.delete(place);
    this.#refused.add(place);
  }

  /** The place whose answer, in any layer, is this text. */
  placeOf(text: string): string | undefined {
    return this.#stages.size === 0 || text.length > maxLength
      ? undefined
      : this.#stages.get(keyOf(Buffer.from(text)))?.place;
  }

  /** An answer of which the app has taken the beginning as its vector. */
  #withVector(content: Buffer, { vector }: Sealing): Stage | undefined {
    const length = vector?.length ?? 0;
    if (length === 0 || length > maxVector) return undefined;
    for (const stage of this.#stages.values()) {
      const isLength = stage.content.length === content.length + length;
      if (isLength && stage.content.subarray(length).equals(content) && stage.content.indexOf(vector!) === 0)
        return stage;
    }
  }

  #remember(stage: Stage): void {
    if (stage.content.length > maxLength) return;
    const key = keyOf(stage.content);
    this.#stages.delete(key);
    this.#stages.set(key, stage);
    if (this.#stages.size > maxStages) this.#stages.delete(this.#stages.keys().next().value!);
  }
}
