// What the app compares its input with: the password it wants, the command it waits for. Knows no machine.

/** Texts learned from one input at most; an app that compares it with more goes through a word list. */
const maxAnswers = 16;
const maxTold = 4_000;
const maxLength = 200;
const maxParts = 40;
const maxSeparator = 8;

export class Prompts {
  /** By input, or a word of it: the texts that it was compared with. */
  readonly #answers = new Map<string, string[]>();
  /** The app's own texts. */
  readonly #wanted = new Set<string>();
  /** By input: the separators that the app split it by. */
  readonly #separators = new Map<string, string>();

  /** A text that comes from outside: typed, or received. Returns it. */
  tell(text: string): string {
    for (const part of partsOf(text)) {
      if (!this.#answers.has(part) && this.#answers.size < maxTold) this.#answers.set(part, []);
    }
    return text;
  }

  /** A text from the app's own code, which may be sent before the app compared anything with it. */
  own(text: string): void {
    this.#wanted.add(text);
  }

  wasTold(text: string): boolean {
    return this.#answers.has(text);
  }

  /** Two texts that the app found to differ. */
  compared(left: string, right: string): void {
    this.#learn(left, right);
    this.#learn(right, left);
  }

  /**
   * A text was tested for a prefix that it lacks; where the prefix ends with a space, the app wants an argument behind
   * it.
   */
  begun(text: string, prefix: string): void {
    this.compared(text, prefix);
    if (this.#answers.has(text) && /\W$/.test(prefix)) this.compared(text, prefix + text);
  }

  /** A text that the app split into parts. */
  divided(text: string, separator: string): void {
    if (separator.length > maxSeparator || !this.#answers.has(text) || this.#separators.has(text)) return;
    this.#separators.set(text, separator);
  }

  /** The texts that the app wanted instead, in the order in which it compared them. */
  answersTo(text: string): readonly string[] {
    const told = text.trim();
    const found = partsOf(text).flatMap((part) =>
      (this.#answers.get(part) ?? []).flatMap((wanted) => {
        const texts = part.length === told.length ? [wanted] : [wanted, replaced(told, part, wanted)];
        // A command with arguments is of no use without them.
        const parted = texts.flatMap((each) => {
          const separator = this.#separators.get(each) ?? this.#separators.get(part);
          return separator === undefined ? [] : [withParts(each, separator)];
        });
        return [...parted, ...texts];
      }),
    );
    return [...new Set(found)];
  }

  #learn(told: string, wanted: string): void {
    const answers = this.#answers.get(told);
    if (answers === undefined || answers.length >= maxAnswers || wanted === '' || wanted.length > maxLength) return;
    // A comparison of two inputs teaches nothing, unless one of them was the app's own text before.
    if ((this.#answers.has(wanted) && !this.#wanted.has(wanted)) || answers.includes(wanted)) return;
    this.#wanted.add(wanted);
    answers.push(wanted);
  }
}

/** Arguments for a command that the app has not asked for yet: a number to call, and a count. */
const anyPart = '5551234';
const withParts = (text: string, separator: string): string => [text, anyPart, anyPart, anyPart].join(separator);

function replaced(text: string, part: string, by: string): string {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return at < 0 ? by : text.slice(0, at) + by + text.slice(at + part.length);
}

/** The forms in which apps compare a text: whole, in lower case, by lines and words. */
function partsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const parts = [text, lower, text.toUpperCase(), ...text.split(/\r?\n/).map((line) => line.trim())];
  const words = [...text.split(/\s+/), ...lower.split(/\s+/)].filter((word) => word.length > 1);
  return [...new Set([...parts, ...words])].filter((part) => part !== '').slice(0, maxParts);
}
