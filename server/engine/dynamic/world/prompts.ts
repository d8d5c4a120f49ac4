// What the app compares with what it is told: the password it wants, the command it waits for. Knows no machine.

/** Texts learned of one that was told; a loop over a word list is not a question. */
const maxAnswers = 16;
const maxTold = 4_000;
const maxLength = 200;
const maxParts = 40;
const maxSeparator = 8;

export class Prompts {
  /** By what was told, whole or a word of it, what it was compared with. */
  readonly #answers = new Map<string, string[]>();
  /** The app's own texts. */
  readonly #wanted = new Set<string>();
  /** By what was told, what the app looked for between parts of it. */
  readonly #separators = new Map<string, string>();

  /** A text that comes from outside: typed, or received. Returns it. */
  tell(text: string): string {
    for (const part of partsOf(text)) {
      if (!this.#answers.has(part) && this.#answers.size < maxTold) this.#answers.set(part, []);
    }
    return text;
  }

  /** A text of the app's own, which it may be told before it has asked for it. */
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

  /** A text that does not begin with a prefix; where that ends a word, the app wants more behind it. */
  begun(text: string, prefix: string): void {
    this.compared(text, prefix);
    if (this.#answers.has(text) && /\W$/.test(prefix)) this.compared(text, prefix + text);
  }

  /** A text that the app took for several. */
  divided(text: string, separator: string): void {
    if (separator.length > maxSeparator || !this.#answers.has(text) || this.#separators.has(text)) return;
    this.#separators.set(text, separator);
  }

  /** What the app would rather have been told, in the order in which it asked. */
  answersTo(text: string): readonly string[] {
    const told = text.trim();
    const found = partsOf(text).flatMap((part) =>
      (this.#answers.get(part) ?? []).flatMap((wanted) => {
        const texts = part.length === told.length ? [wanted] : [wanted, replaced(told, part, wanted)];
        // A word that has parts behind it is of no use without them.
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
    // Two of the texts that were told tell nothing about each other, unless one was the app's own before.
    if ((this.#answers.has(wanted) && !this.#wanted.has(wanted)) || answers.includes(wanted)) return;
    this.#wanted.add(wanted);
    answers.push(wanted);
  }
}

/** A word for parts that the app has not asked for yet: one to be called, and a number. */
const anyPart = '5551234';
const withParts = (text: string, separator: string): string => [text, anyPart, anyPart, anyPart].join(separator);

function replaced(text: string, part: string, by: string): string {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return at < 0 ? by : text.slice(0, at) + by + text.slice(at + part.length);
}

/** The text as apps look at it: whole, without its case, by lines and words. */
function partsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const parts = [text, lower, text.toUpperCase(), ...text.split(/\r?\n/).map((line) => line.trim())];
  const words = [...text.split(/\s+/), ...lower.split(/\s+/)].filter((word) => word.length > 1);
  return [...new Set([...parts, ...words])].filter((part) => part !== '').slice(0, maxParts);
}
