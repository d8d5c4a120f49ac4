// Names for packages and classes whose own are no words. Knows no members.

import { object } from '../../code/values/operands.ts';
import { noIndex } from '../../formats/dex/dex.ts';
import { binaryName, type SourceClass } from '../printing/program.ts';
import { logTags } from './code-hints.ts';
import type { Deriving } from './derived-names.ts';
import { isClassWord, isGoodName, isResourceTable, isWord, onlyByCase, withoutSigns } from './words.ts';

const accInterface = 0x200;
const accAnnotation = 0x2000;
/** First parts of packages that are endings of domains, and what people call packages in two letters. */
const shortPackages =
  /^(?:ai|app|at|au|be|br|ca|cc|ch|cn|co|cz|de|dk|es|eu|fi|fm|fr|gg|hk|id|ie|il|in|io|ir|it|jp|kr|me|mx|my|nl|no|nz|pl|pt|ro|ru|se|sg|sk|th|to|tr|tv|tw|ua|uk|us|vn|za)$/;
const shortParts = /^(?:io|pm|ui|db|os|js|vm|ad|ip|tv|v\d)$/;

export function nameClasses(deriving: Deriving): void {
  namePackages(deriving);
  const { program, given } = deriving;
  const unnamed = unnamedClasses(deriving);
  if (unnamed.size === 0) return;
  const sources = uniqueSources(deriving);
  const tags = logTags(deriving.dexes, (type) => unnamed.has(type));
  const taken = new TakenClasses(deriving);
  for (const type of unnamed) {
    const place = program.classOf(type)!;
    const name =
      wordsFor(deriving, place, { source: sources.get(type), tag: tags.get(type) }).find(
        (word) => word !== undefined && isGoodName(word) && !taken.has(type, word),
      ) ?? numberedName(deriving, place, taken);
    if (given.classes.has(type)) continue;
    taken.add(type, name);
    deriving.names.set(type, name);
  }
}

/** What a class says that it is called, the surest first. */
function wordsFor(
  deriving: Deriving,
  place: SourceClass,
  { source, tag }: { source: string | undefined; tag: string | undefined },
): (string | undefined)[] {
  const { kotlin, spoken } = deriving.hintsOf(place);
  const isTop = deriving.program.outerOf(place.type) === null;
  return [
    kotlin?.name?.split(/[/.]/).at(-1),
    ...(isTop ? [source] : []),
    spoken.className ?? undefined,
    ...(isTop ? [tag] : []),
    withoutSigns(ownName(deriving.program, place.type)) ?? undefined,
  ];
}

/** `Runnable3` of what extends or implements a class with a name, `Class0012` of all others. */
function numberedName(deriving: Deriving, { type, dex, classIndex }: SourceClass, taken: TakenClasses): string {
  const { accessFlags } = dex.classDef(classIndex);
  const role = (accessFlags & accAnnotation) !== 0 ? undefined : roleOf(deriving, type);
  const kind =
    (accessFlags & accAnnotation) !== 0 ? 'Annotation' : (accessFlags & accInterface) !== 0 ? 'Interface' : 'Class';
  let name: string;
  do name = role === undefined ? deriving.numbered(kind, 4) : deriving.numbered(role);
  while (taken.has(type, name));
  return name;
}

function roleOf({ program }: Deriving, type: string): string | undefined {
  if (program.isEnumClass(type)) return 'Enum';
  for (const above of program.relations.above(type).slice(1)) {
    if (above === object || above === 'Ljava/lang/Record;') continue;
    const binary = binaryName(above);
    const name = binary.slice(binary.lastIndexOf('$') + 1);
    if (isGoodName(name)) return name;
  }
  return undefined;
}

/** Classes whose names are no words, those that others stand in first. */
function unnamedClasses({ program }: Deriving): Set<string> {
  const types = [...program.relations.appTypes];
  const inPackages = Map.groupBy(
    types.filter((type) => program.outerOf(type) === null),
    (type) => type.slice(0, type.lastIndexOf('/') + 1),
  );
  const twice = new Set<string>();
  for (const siblings of inPackages.values()) for (const type of onlyByCase(siblings)) twice.add(type);
  const isUnnamed = (type: string) =>
    !program.isLambdaClass(type) && !isResourceTable(type) && (twice.has(type) || !isClassWord(ownName(program, type)));
  return new Set(types.filter(isUnnamed));
}

/** A class's name in what it stands in, as the code has it. */
function ownName(program: Deriving['program'], type: string): string {
  const binary = binaryName(type);
  const outer = program.outerOf(type);
  if (outer === null) return binary;
  const before = `${binaryName(outer)}$`;
  return binary.startsWith(before) ? binary.slice(before.length) : binary;
}

/** By top-level class the name of its source file, where no other one is of the same file. */
function uniqueSources({ program }: Deriving): Map<string, string> {
  const bySource = new Map<string, string[]>();
  for (const type of program.relations.appTypes) {
    if (program.outerOf(type) !== null) continue;
    const { dex, classIndex } = program.relations.placeOf(type)!;
    const { sourceFileIndex } = dex.classDef(classIndex);
    const text = sourceFileIndex === noIndex ? '' : dex.string(sourceFileIndex);
    const name = /^([A-Za-z_]\w*)\.(?:java|kt|scala|groovy)$/.exec(text)?.[1];
    if (name === undefined || name === 'SourceFile') continue;
    const list = bySource.get(name);
    if (list === undefined) bySource.set(name, [type]);
    else list.push(type);
  }
  const found = new Map<string, string>();
  for (const [name, types] of bySource) if (types.length === 1) found.set(types[0]!, name);
  return found;
}

/** Names that classes and packages have where a class stands. */
class TakenClasses {
  readonly #deriving: Deriving;
  /** By package or outer class, in lower case: some folders know no other. */
  readonly #names = new Map<string, Set<string>>();

  constructor(deriving: Deriving) {
    this.#deriving = deriving;
    const { program, given } = deriving;
    for (const type of program.relations.appTypes) {
      this.add(type, ownName(program, type));
      const named = given.classes.get(type)?.name;
      if (named !== undefined) this.add(type, named.slice(named.lastIndexOf('$') + 1));
    }
  }

  #scopeOf(type: string): string {
    return this.#deriving.program.outerOf(type) ?? type.slice(0, type.lastIndexOf('/') + 1);
  }

  add(type: string, name: string): void {
    const scope = this.#scopeOf(type);
    const known = this.#names.get(scope);
    if (known === undefined) this.#names.set(scope, new Set([name.toLowerCase()]));
    else known.add(name.toLowerCase());
  }

  has(type: string, name: string): boolean {
    const { program, names } = this.#deriving;
    if (this.#names.get(this.#scopeOf(type))?.has(name.toLowerCase()) === true) return true;
    if (program.hasPackage(`${type.slice(1, type.lastIndexOf('/') + 1)}${name}`)) return true;
    // A class is never called as one that it stands in, or one that stands in it.
    for (let outer = program.outerOf(type); outer !== null; outer = program.outerOf(outer))
      if ((names.get(outer) ?? ownName(program, outer)).toLowerCase() === name.toLowerCase()) return true;
    return this.#names.get(type)?.has(name.toLowerCase()) === true;
  }
}

function namePackages(deriving: Deriving): void {
  const { program, given, names } = deriving;
  const seen = new Set<string>();
  for (const type of program.relations.appTypes) {
    const parts = type.slice(1, -1).split('/').slice(0, -1);
    for (const [depth, part] of parts.entries()) {
      const path = parts.slice(0, depth + 1).join('/');
      if (seen.has(path)) continue;
      seen.add(path);
      const isKnown = isWord(part) || shortParts.test(part) || (depth === 0 && shortPackages.test(part));
      if (isKnown) continue;
      const name = deriving.numbered('package', 4);
      if (!given.packages.has(path)) names.set(`${path}/`, name);
    }
  }
}
