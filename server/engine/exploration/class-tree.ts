// Packages and classes of an app as a tree. Knows no members and no code.
import type { CodePackage } from '../../contract/engine/exploration.ts';
import { isKnownLibrary } from '../app/known-libraries.ts';
import type { ClassPlace } from '../code/class-hierarchy.ts';
import type { Dex } from '../formats/dex/dex.ts';

interface Package {
  /** Names of the packages right below. */
  readonly below: Set<string>;
  readonly classes: { name: string; place: ClassPlace }[];
  /** Classes in it and below. */
  total: number;
  /** Those of them that are no known library's. */
  own: number;
}

/** Deeper levels count as one package: a name of thousands of levels would take thousands of nodes. */
const maxDepth = 64;
const accInterface = 0x200;
const accAbstract = 0x400;
const accAnnotation = 0x2000;
const accEnum = 0x4000;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `com/example` of `Lcom/example/A;`, empty where there is none. */
function packageOf(descriptor: string): string {
  if (!descriptor.startsWith('L')) return '';
  let end = descriptor.lastIndexOf('/');
  if (end < 1) return '';
  let depth = 0;
  for (let at = 1; at < end; at++) {
    if (descriptor.charCodeAt(at) !== 0x2f) continue;
    depth++;
    if (depth === maxDepth) end = at;
  }
  return descriptor.slice(1, end);
}

export class ClassTree {
  readonly #packages = new Map<string, Package>();
  /** Places by descriptor, the one that Android takes first. */
  readonly #places = new Map<string, ClassPlace[]>();
  #subclasses: Map<string, string[]> | undefined;

  /** As the packages' names have it, `com/example`. */
  readonly #appPackage: string;

  /** @param packageName of the app */
  constructor(dexes: readonly Dex[], packageName: string) {
    this.#appPackage = packageName.replaceAll('.', '/');
    for (const dex of dexes) {
      for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
        const name = dex.className(classIndex);
        const place = { dex, classIndex };
        const known = this.#places.get(name);
        if (known !== undefined) known.push(place);
        else this.#places.set(name, [place]);
        this.#package(packageOf(name)).classes.push({ name, place });
      }
    }
    for (const [name, { classes }] of this.#packages) {
      const own = classes.filter((one) => !isKnownLibrary(one.name, packageName)).length;
      for (let at: string | null = name; at !== null; at = parentOf(at)) {
        const found = this.#packages.get(at)!;
        found.total += classes.length;
        found.own += own;
      }
    }
  }

  #package(name: string): Package {
    const known = this.#packages.get(name);
    if (known !== undefined) return known;
    const made: Package = { below: new Set(), classes: [], total: 0, own: 0 };
    this.#packages.set(name, made);
    const parent = parentOf(name);
    if (parent !== null) this.#package(parent).below.add(name);
    return made;
  }

  /** Every place that defines a class; empty where none does. */
  placesOf(descriptor: string): readonly ClassPlace[] {
    return this.#places.get(descriptor) ?? [];
  }

  has(descriptor: string): boolean {
    return this.#places.has(descriptor);
  }

  /** Every class that the app defines, by descriptor. */
  descriptors(): Iterable<string> {
    return this.#places.keys();
  }

  /** Classes of the app that extend or implement one. */
  subclassesOf(descriptor: string): readonly string[] {
    if (this.#subclasses === undefined) {
      this.#subclasses = new Map();
      for (const [name, places] of this.#places) {
        const { dex, classIndex } = places[0]!;
        const { superclassIndex, interfacesOffset } = dex.classDef(classIndex);
        for (const type of [superclassIndex, ...dex.typeList(interfacesOffset)]) {
          const parent = dex.type(type);
          const list = this.#subclasses.get(parent);
          if (list === undefined) this.#subclasses.set(parent, [name]);
          else list.push(name);
        }
      }
    }
    return this.#subclasses.get(descriptor) ?? [];
  }

  /** That of the app itself and those on the way to it stand before others, those of known libraries alone behind them. */
  #rank(name: string): number {
    if (this.#appPackage !== '' && `${this.#appPackage}/`.startsWith(`${name}/`)) return 0;
    return this.#packages.get(name)!.own > 0 ? 1 : 2;
  }

  /** A package's own level of the tree, as the code calls its classes, the app's own code first; null where there is no such package. */
  level(name: string, offset: number, limit: number): CodePackage | null {
    const found = this.#packages.get(name);
    if (found === undefined) return name === '' ? { package: '', packages: [], classes_count: 0, classes: [] } : null;
    const classes = found.classes.sort((a, b) => compare(a.name, b.name));
    return {
      package: name,
      packages: [...found.below]
        .sort((a, b) => this.#rank(a) - this.#rank(b) || compare(a, b))
        .map((below) => ({
          name: below,
          classes: this.#packages.get(below)!.total,
          is_library: this.#packages.get(below)!.own === 0,
        })),
      classes_count: classes.length,
      classes: classes.slice(offset, offset + limit).map((one) => ({
        name: one.name,
        renamed: null,
        dex: one.place.dex.where,
        kind: kindOf(one.place.dex.classDef(one.place.classIndex).accessFlags),
      })),
    };
  }
}

function parentOf(name: string): string | null {
  if (name === '') return null;
  const at = name.lastIndexOf('/');
  return at < 0 ? '' : name.slice(0, at);
}

function kindOf(flags: number): CodePackage['classes'][number]['kind'] {
  if ((flags & accAnnotation) !== 0) return 'annotation';
  if ((flags & accInterface) !== 0) return 'interface';
  if ((flags & accEnum) !== 0) return 'enum';
  return (flags & accAbstract) !== 0 ? 'abstract' : 'class';
}
