// How the app opens what servers answer, by Base64 or ciphers with keys of its own, and answers sealed so that it can.
// Knows no machine.
import type { Sealing } from '../java/hooks.ts';

/** What an app does to an answer one after the other: decode, decrypt, decode again. */
const maxLayers = 4;
/** Places whose answers the app opens. */
const maxPlaces = 500;
/** Answers remembered, in each of their layers; the oldest make room. */
const maxStages = 500;
/** Bytes of an answer that is remembered. */
const maxLength = 1 << 16;
/** Initialisation vectors stand before what they were used for. */
const maxVector = 16;

/** An answer as it is when the app has opened so many layers. */
interface Stage {
  readonly place: string;
  readonly depth: number;
  readonly content: Buffer;
}

/** What a server has to do for the app to open a layer, and the vector before it, where there is one. */
interface Layer {
  readonly sealing: Sealing;
  readonly vectorLength: number;
}

/** Readers put lines together as they like. */
const keyOf = (content: Buffer): string => content.toString('latin1').replace(/\s+/g, '');

export class SealedAnswers {
  readonly #layers = new Map<string, Layer[]>();
  readonly #stages = new Map<string, Stage>();

  /** Whether the app opens what a place answers. */
  isSealed(place: string): boolean {
    return this.#layers.has(place);
  }

  /** The answer of a place as it is sent, remembered in every layer. */
  seal(place: string, text: string): Buffer {
    const layers = this.#layers.get(place) ?? [];
    let content: Buffer = Buffer.from(text);
    this.#remember({ place, depth: layers.length, content });
    for (let depth = layers.length - 1; depth >= 0; depth--) {
      const { sealing, vectorLength } = layers[depth]!;
      const vector = Buffer.alloc(vectorLength, 'v');
      content = Buffer.concat([vector, sealing.seal(content, vectorLength === 0 ? sealing.vector : vector)]);
      this.#remember({ place, depth, content });
    }
    return content;
  }

  /** The app tries to open something; where it is an answer, the next one of that place is sealed so that it can. */
  opened(content: Uint8Array, sealing: Sealing): void {
    if (this.#stages.size === 0 || content.length > maxLength) return;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const whole = this.#stages.get(keyOf(bytes));
    const stage = whole ?? this.#withVector(bytes, sealing);
    if (stage === undefined) return;
    const layers = this.#layers.get(stage.place) ?? [];
    if (stage.depth !== layers.length || layers.length >= maxLayers) return;
    if (layers.length === 0 && this.#layers.size >= maxPlaces) return;
    layers.push({ sealing, vectorLength: stage.content.length - (whole ?? { content: bytes }).content.length });
    this.#layers.set(stage.place, layers);
  }

  /** The place that answered a text, which the app has opened or was sent so. */
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
    return undefined;
  }

  #remember(stage: Stage): void {
    if (stage.content.length > maxLength) return;
    const key = keyOf(stage.content);
    this.#stages.delete(key);
    this.#stages.set(key, stage);
    if (this.#stages.size > maxStages) this.#stages.delete(this.#stages.keys().next().value!);
  }
}
