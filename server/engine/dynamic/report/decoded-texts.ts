// Texts that the code of an app makes of data while it runs, by where it uses them. Knows no report.
import { type DecodedText, maxDecodedTexts } from '../../../contract/engine/evidence.ts';
import type { Machine } from '../machine/model.ts';

/** Of one place: a loop decodes thousands at one. */
const maxOfPlace = 3;
/** Texts that are looked at: what an app makes in an endless loop costs no more. */
const maxLooked = 100_000;
const minLength = 3;
const maxLength = 1000;
const maxMethod = 4000;

/** Whether people may have written it: no control characters, some letters, and no digest. */
const isWritten = (text: string): boolean =>
  !/[\p{C}\ufffd]/u.test(text.replace(/[\n\r\t]/g, '')) && /\p{L}{2}/u.test(text) && !/^[\da-f]{16,}$/i.test(text);

export class DecodedTexts {
  readonly texts: DecodedText[] = [];
  readonly #machine: Machine;
  readonly #places = new Map<string, Set<string>>();
  #looked = 0;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** The app made a text of characters or bytes. */
  made(text: string): void {
    if (text.length < minLength || text.length > maxLength || this.texts.length >= maxDecodedTexts) return;
    if (this.#looked++ >= maxLooked) return;
    const use = this.#machine.decodedTextUse();
    if (use === null || use.method.length > maxMethod || !isWritten(text)) return;
    const place = `${use.method} ${use.address}`;
    const known = this.#places.get(place) ?? new Set<string>();
    if (known.size >= maxOfPlace || known.has(text)) return;
    this.#places.set(place, known.add(text));
    this.texts.push({ ...use, text });
  }
}
