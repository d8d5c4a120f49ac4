// What is kept of methods by class, name and parameters: these are known texts, while one made of all three is long and new each time.

const joinedOf = new WeakMap<readonly string[], string>();

/** The descriptors of parameters in one text. */
export function joined(parameters: readonly string[]): string {
  if (parameters.length < 2) return parameters[0] ?? '';
  let text = joinedOf.get(parameters);
  if (text === undefined) {
    text = parameters.join('');
    joinedOf.set(parameters, text);
  }
  return text;
}

export class MethodTable<T> {
  readonly #most: number;
  readonly #classes = new Map<string, Map<string, Map<string, T>>>();
  #size = 0;

  /** @param most names of methods at most: past that, all is found anew */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept of a class's methods of a name, by their parameters. */
  of(owner: string, name: string): Map<string, T> {
    let names = this.#classes.get(owner);
    let methods = names?.get(name);
    if (methods !== undefined) return methods;
    if (this.#size++ >= this.#most) {
      this.#classes.clear();
      this.#size = 1;
      names = undefined;
    }
    if (names === undefined) {
      names = new Map();
      this.#classes.set(owner, names);
    }
    methods = new Map();
    names.set(name, methods);
    return methods;
  }
}
