// The inputs that reached code which no other had reached: what the next ones are made of. Knows no format.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.ts';

/** A folder's corpus stays below what one reads again at the start in some seconds. */
const maxInputs = 3000;
const maxBytes = 24 * 1024 * 1024;

export class Corpus {
  readonly inputs: Uint8Array[] = [];
  readonly #folder: string | null;
  #bytes = 0;

  /** @param folder where inputs are kept; null for this process alone */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder !== null) mkdirSync(folder, { recursive: true });
  }

  /** What earlier runs kept, the smallest first, so that a large one stays only for what no smaller one reaches. */
  stored(): Uint8Array[] {
    if (this.#folder === null) return [];
    const folder = this.#folder;
    const inputs = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    return inputs.sort((one, other) => one.length - other.length || Buffer.compare(one, other));
  }

  /** Forgets an input that tells nothing new any more. */
  forget(input: Uint8Array): void {
    if (this.#folder !== null) rmSync(join(this.#folder, nameOf(input)), { force: true });
  }

  /** One that the target makes anew each time. */
  addSample(input: Uint8Array): void {
    this.inputs.push(input);
    this.#bytes += input.length;
  }

  add(input: Uint8Array): void {
    if (this.inputs.length >= maxInputs || this.#bytes + input.length > maxBytes) return;
    this.addSample(input);
    if (this.#folder !== null) writeFileSync(join(this.#folder, nameOf(input)), input);
  }

  /** Half of the time one of the last, which nobody has built on yet. */
  pick(random: Random): Uint8Array {
    const { length } = this.inputs;
    const recent = Math.min(length, 32);
    return this.inputs[random(2) === 0 ? length - 1 - random(recent) : random(length)]!;
  }
}

const nameOf = (input: Uint8Array): string => createHash('sha256').update(input).digest('hex').slice(0, 24);
