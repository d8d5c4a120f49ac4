// Type parameters of the platform's generic classes, and what its methods say of types beyond their descriptors. Knows no app.
import { readFileSync } from 'node:fs';
import { type ClassSignature, classSignature, type MethodSignature, methodSignature } from './generic-signatures.ts';

interface Table {
  readonly classes: Readonly<Record<string, string>>;
  /** `java/util/List->add(Ljava/lang/Object;)` */
  readonly methods: Readonly<Record<string, string>>;
}

interface Generics {
  readonly classes: Map<string, string>;
  /** By class, then by name and what is taken. */
  readonly methods: Map<string, Map<string, string>>;
}

let generics: Generics | null = null;
const classes = new Map<string, ClassSignature | null>();
const methods = new Map<string, MethodSignature | null>();

function read(): Generics {
  const all: Generics = { classes: new Map(), methods: new Map() };
  for (const name of ['java-generics.json', 'android-generics.json']) {
    const url = new URL(`../../../../resources/${name}`, import.meta.url);
    const table = JSON.parse(readFileSync(url, 'utf8')) as Table;
    for (const [type, text] of Object.entries(table.classes)) all.classes.set(`L${type};`, text);
    for (const [method, text] of Object.entries(table.methods)) {
      const [type, called] = method.split('->') as [string, string];
      const known = all.methods.get(`L${type};`);
      if (known === undefined) all.methods.set(`L${type};`, new Map([[called, text]]));
      else known.set(called, text);
    }
  }
  return all;
}

/** Null for a class of the platform that is not generic and extends nothing that is, and for others. */
export function platformClass(type: string): ClassSignature | null {
  generics ??= read();
  const text = generics.classes.get(type);
  if (text === undefined) return null;
  let known = classes.get(type);
  if (known === undefined) {
    known = classSignature(text);
    classes.set(type, known);
  }
  return known;
}

/** What a method says of itself that a class of the platform declares; null where its descriptor says all. @param called `add(Ljava/lang/Object;)` */
export function platformMethod(type: string, called: string): MethodSignature | null {
  generics ??= read();
  const text = generics.methods.get(type)?.get(called);
  if (text === undefined) return null;
  const key = `${type}${called}`;
  let known = methods.get(key);
  if (known === undefined) {
    known = methodSignature(text);
    methods.set(key, known);
  }
  return known;
}

/** The methods of a class of the platform whose signatures say more than their descriptors: `add(Ljava/lang/Object;)` each. */
export function platformMethods(type: string): Iterable<string> {
  generics ??= read();
  return generics.methods.get(type)?.keys() ?? [];
}
