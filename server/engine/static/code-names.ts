// The names by which searches find an app's code: classes that it defines, methods that it calls and does not define.
// Knows no report.
import { maxNameLetters } from '../../contract/engine/report-terms.ts';
import type { AppClasses } from '../code/app-classes.ts';
import { type ClassPlace, superclassChain } from '../code/class-hierarchy.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import type { Dex } from '../formats/dex/dex.ts';

/** Longer names are made to be long. */
const maxLength = 300;
/** Letters and digits of any script and what else names may have; blanks part the names of the index. */
const isName = /^[\w.$<>\-\u0080-\uffff]+$/;
/** Anonymous classes and lambdas: nobody looks for their numbers. */
const isNumbered = /\$\d|\$\$/;
/** An encoded method takes three bytes at least, and honest classes do not share theirs. */
const minMethodBytes = 3;

const isClass = (descriptor: string) => descriptor.startsWith('L');
const dotted = (descriptor: string) => descriptor.slice(1, -1).replace(/\//g, '.');
const withoutPackage = (name: string) => name.slice(name.lastIndexOf('.') + 1);

interface OutsideClass {
  readonly name: string;
  readonly short: string;
}

/** A class outside the app, and the app's own classes between it and the class that a call names. */
interface Owner {
  readonly outside: OutsideClass;
  readonly own: readonly ReadonlySet<string>[];
}

function outsideClass(descriptor: string): OutsideClass | null {
  const name = dotted(descriptor);
  return isClass(descriptor) && isName.test(name) ? { name, short: withoutPackage(name) } : null;
}

class CodeNames {
  readonly #classes: AppClasses;
  /** Each name once: dex files of one app may repeat each other's. */
  readonly #names: string[] = [];
  /** Names of known libraries' classes. */
  readonly #libraries: string[] = [];
  /** With their field before them. */
  readonly #packages = new Set<string>();
  #lettersLeft = maxNameLetters;
  /** The package that each field's last name stands in. */
  readonly #lastPackages = new Map<string, string>();
  /** Names of the methods that a class defines, by its descriptor. */
  readonly #methods = new Map<string, ReadonlySet<string>>();
  #methodsLeft: number;

  constructor(classes: AppClasses) {
    this.#classes = classes;
    const buffers = new Set(classes.dexes.map(({ bytes }) => bytes));
    this.#methodsLeft = [...buffers].reduce((sum, { length }) => sum + length / minMethodBytes, 0);
  }

  /** The app's own classes come first, known libraries' last: a list that is cut lacks what many apps have. */
  collect(): string {
    const { dexes } = this.#classes;
    for (const dex of dexes) for (let index = 0; index < dex.classCount; index++) this.#addClass(dex, index);
    for (const dex of dexes) this.#addCalls(dex);
    for (const name of this.#libraries) this.#add(`class:${name}`);
    const any = ['class', 'api'].filter((field) => this.#names.some((name) => name.startsWith(field)));
    return [...any.map((field) => `${field}:*`), ...this.#names].join(' ');
  }

  #addClass(dex: Dex, index: number): void {
    const descriptor = dex.className(index);
    if (!isClass(descriptor) || isNumbered.test(descriptor)) return;
    const name = dotted(descriptor);
    if (!isName.test(name)) return;
    this.#addPackages('class', name);
    if (!this.#classes.isOwn(dex, dex.classDefs[index * 8]!)) this.#libraries.push(name);
    else this.#add(`class:${name} class:${withoutPackage(name)}`);
  }

  /** The packages that a class stands in, each with a dot behind it. */
  #addPackages(field: string, name: string): void {
    const first = Math.max(name.lastIndexOf('.'), 0);
    // Classes of one package follow each other.
    const last = this.#lastPackages.get(field);
    if (last?.length === first && name.startsWith(last)) return;
    this.#lastPackages.set(field, name.slice(0, first));
    for (let end = first; end > 0; end = name.lastIndexOf('.', end - 1)) {
      const term = `${field}:${name.slice(0, end)}.`;
      if (this.#packages.has(term)) return;
      this.#packages.add(term);
      this.#add(term);
    }
  }

  #add(names: string): void {
    if (names.length > maxLength || names.length >= this.#lettersLeft) return;
    this.#lettersLeft -= names.length + 1;
    this.#names.push(names);
  }

  /** Calls of what the app does not define, also by way of its own classes, which inherit it. */
  #addCalls(dex: Dex): void {
    let type = -1;
    let owner: Owner | null = null;
    let last = -1;
    for (let index = 0; index < dex.methodCount; index++) {
      // Methods are in the order of their classes and names, and overloads have one name.
      const nameIndex = dex.methodNameIndex(index);
      if (dex.methodClassIndex(index) !== type) {
        type = dex.methodClassIndex(index);
        owner = this.#ownerOf(dex, type);
      } else if (nameIndex === last) continue;
      last = nameIndex;
      if (owner !== null) this.#addCall(owner, dex.methodName(index));
    }
  }

  #addCall({ outside: { name, short }, own }: Owner, method: string): void {
    if (own.some((names) => names.has(method)) || !isName.test(method)) return;
    this.#add(`api:${name}.${method} api:${short}.${method}`);
  }

  /** The class outside the app that calls on a class may reach; null for none, or one of a known library in the app. */
  #ownerOf(dex: Dex, type: number): Owner | null {
    const descriptor = dex.type(type);
    if (this.#classes.placeOf(descriptor) !== null) {
      return this.#classes.isOwn(dex, type) ? this.#inheritance(descriptor) : null;
    }
    const outside = outsideClass(descriptor);
    if (outside === null) return null;
    this.#add(`api:${outside.name} api:${outside.short}`);
    this.#addPackages('api', outside.name);
    return { outside, own: [] };
  }

  /** What one of the app's classes inherits, but for the methods of `Object`, which every class has. */
  #inheritance(descriptor: string): Owner | null {
    const chain = [...superclassChain(descriptor, (owner) => this.#classes.placeOf(owner))];
    const { name, place } = chain.at(-1)!;
    const outside = place !== null || name === 'Ljava/lang/Object;' ? null : outsideClass(name);
    if (outside === null) return null;
    return {
      outside,
      own: chain.flatMap((each) => (each.place === null ? [] : [this.#methodsOf(each.name, each.place)])),
    };
  }

  #methodsOf(descriptor: string, { dex, classIndex }: ClassPlace): ReadonlySet<string> {
    let names = this.#methods.get(descriptor);
    if (names === undefined) {
      const methods = this.#methodsLeft > 0 ? methodsOf(dex, classIndex) : [];
      this.#methodsLeft -= methods.length;
      names = new Set(methods.map(({ methodIndex }) => dex.methodName(methodIndex)));
      this.#methods.set(descriptor, names);
    }
    return names;
  }
}

/**
 * Names of an app's code with blanks between: `class:com.example.Main`, `api:android.telephony.SmsManager` and its method
 * `api:android.telephony.SmsManager.sendTextMessage`, all but known libraries' without their package, too; packages with
 * a dot behind them, `class:com.example.`; `class:*` and `api:*` where there is any.
 */
export const codeNames = (classes: AppClasses): string => new CodeNames(classes).collect();
