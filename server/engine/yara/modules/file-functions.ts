// What rules ask of each file by itself: its name, its type, what a dex file defines. Knows nothing of rules' syntax.
import { Findings } from '../../findings.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { openDex } from '../../formats/dex/dex.ts';
import { isDexAt } from '../../formats/dex/header.ts';
import type { GlobalValues } from '../engines/engine.ts';
import { type DexLoop, operandsOf } from '../rewriting/dex-loops.ts';
import { textTest } from '../rewriting/text-comparisons.ts';
import { boundedSearch } from './bounded-search.ts';
import { loopHolds } from './dex-loop-run.ts';
import { type DexList, DexMembers, dexMemberKinds } from './dex-members.ts';
import { type FileType, fileTypeOf } from './file-types.ts';
import type { ModuleArgument, ModuleCall } from './module-functions.ts';
import { isFoundIn, regexpOf, regexpProblem, searchOf, type TextPattern } from './report-search.ts';

export interface ScannedFile {
  /** The entry inside the APK, empty for the APK itself. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Stands for a text that a file does not have: a byte that no rule compares with. */
const missingText = '\0';
/** Stands for a count that a file does not have: counts are never negative. */
const missingNumber = -1;
/** The outcome of a comparison with a text that a file does not have; other outcomes are 0 and 1. */
export const missingOutcome = 2;

/** External variables that other YARA scanners define for each file. */
export const fileVariables: ReadonlySet<string> = new Set(['filename', 'filepath', 'extension']);

type Given = readonly ModuleArgument[];
interface FileMember {
  isText: boolean;
  /** Kinds of arguments, `s` a text, `r` a regular expression, `i` an index; null for what is no function. */
  accepts: readonly string[] | null;
  value(facts: FileFacts, given: Given, loop?: DexLoop): string | number | undefined;
}

const members = new Map<string, FileMember>();
const define = (isText: boolean, path: string, accepts: FileMember['accepts'], value: FileMember['value']): void => {
  members.set(path, { isText, accepts, value });
};

define(true, 'filename', null, ({ file }) => file.name.slice(file.name.lastIndexOf('/') + 1));
define(true, 'filepath', null, ({ file }) => file.name);
define(true, 'extension', null, ({ file, type }) =>
  file.name === '' && type.mime === 'application/vnd.android.package-archive' ? '.apk' : extensionOf(file.name),
);
// YARA leaves them undefined for no bytes.
define(true, 'magic.type', [''], ({ file, type }) => (file.bytes.length === 0 ? undefined : type.type));
define(true, 'magic.mime_type', [''], ({ file, type }) => (file.bytes.length === 0 ? undefined : type.mime));

define(true, 'dex.header.magic', null, ({ dex }) => dex?.magic);
define(false, 'dex.number_of_methods', null, ({ dex }) => dex?.methods.length ?? 0);
define(false, 'dex.number_of_fields', null, ({ dex }) => dex?.fields.length ?? 0);
define(false, 'dex.has_class', ['s', 'r'], ({ dex }, [name]) => Number(definesMethod(dex, name)));
define(false, 'dex.has_method', ['s', 'r', 'ss', 'rr'], ({ dex }, [first, second]) => {
  const [className, name] = second === undefined ? [undefined, first] : [first, second];
  return Number(definesMethod(dex, className, name));
});
define(false, 'dex.loop', [''], ({ dex }, _, loop) => Number(loop !== undefined && loopHolds(loop, dex)));
for (const [list, kinds] of Object.entries(dexMemberKinds) as [DexList, Record<string, string>][]) {
  for (const [member, kind] of Object.entries(kinds)) {
    define(kind === 'text', `dex.${list}.${member}`, ['i'], ({ dex }, [index]) =>
      dex?.value(list, indexOf(index), member),
    );
  }
}

const indexOf = (argument: ModuleArgument | undefined): number => (argument?.kind === 'number' ? argument.value : -1);

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.')) : '';
}

/** Whether the call is answered for each file, rather than from the APK's reports. */
export const isFileCall = ({ path }: ModuleCall): boolean => members.has(path);
/** Whether its answer is a text. */
export const isTextCall = ({ path, comparison }: ModuleCall): boolean =>
  members.get(path)?.isText === true && comparison === undefined;

/** By the kinds of arguments. */
const argumentWords: Readonly<Record<string, string>> = {
  '': 'none',
  s: 'a text',
  r: 'a regular expression',
  ss: 'two texts',
  rr: 'two regular expressions',
  i: 'a number',
};

/** Why the call cannot be made, or null. */
export function fileCallProblem({ path, arguments: given, loop }: ModuleCall, isCall: boolean): string | null {
  const member = members.get(path);
  if (member === undefined) return `unknown field or function \`${path}\``;
  if (member.accepts === null) return isCall ? `\`${path}\` is no function` : null;
  const kinds = given.map(({ kind }) => (kind === 'number' ? 'i' : kind === 'text' ? 's' : 'r')).join('');
  if (!isCall && kinds === '') return `\`${path}\` is a function: it needs parentheses`;
  if (!member.accepts.includes(kinds)) {
    const wanted = member.accepts.map((accepted) => argumentWords[accepted]);
    return `wrong arguments: \`${path}\` takes ${wanted.join(' or ')}`;
  }
  for (const argument of loop === undefined ? given : operandsOf(loop.body)) {
    const problem = argument.kind === 'regexp' ? regexpProblem(argument) : null;
    if (problem !== null) return problem;
  }
  return null;
}

/** The values of calls on one file, by the global that stands for each. */
export function valuesOnFile(calls: Iterable<readonly [string, ModuleCall]>, facts: FileFacts): GlobalValues {
  const values: Record<string, number | string> = {};
  const searches: TextSearch[] = [];
  for (const [name, { path, arguments: given, loop, comparison }] of calls) {
    const member = members.get(path)!;
    const value = member.value(facts, given, loop);
    if (comparison === undefined) {
      values[name] = value ?? (member.isText ? missingText : missingNumber);
    } else if (value === undefined) {
      values[name] = missingOutcome;
    } else if (comparison.operand.kind === 'regexp') {
      searches.push({ name, regexp: regexpOf(comparison.operand), text: String(value) });
    } else {
      values[name] = Number(textTest(comparison)(String(value)));
    }
  }
  if (searches.length > 0) runSearches(searches, values);
  return values;
}

interface TextSearch {
  name: string;
  regexp: TextPattern;
  text: string;
}

/** All comparisons are bounded together: to watch one takes longer than to search a name. */
function runSearches(searches: readonly TextSearch[], values: Record<string, number | string>): void {
  const regexps = searches.map(({ regexp }) => regexp);
  boundedSearch(regexps, () => {
    for (const { name, regexp, text } of searches) values[name] = Number(isFoundIn(text, regexp));
    return true;
  });
}

/** Facts about a file, each found out once, when first asked for. */
export class FileFacts {
  readonly file: ScannedFile;
  #type: FileType | null = null;
  #dex: DexMembers | null | undefined;

  constructor(file: ScannedFile) {
    this.file = file;
  }

  get type(): FileType {
    this.#type ??= fileTypeOf(this.file.bytes);
    return this.#type;
  }

  get dex(): DexMembers | null {
    this.#dex ??= isDexAt(this.file.bytes) ? dexMembersOf(this.file) : null;
    return this.#dex;
  }
}

function dexMembersOf({ bytes, name }: ScannedFile): DexMembers | null {
  try {
    return new DexMembers(openDex(bytes, new Findings(), name));
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Whether a method is defined whose class and name fit; what is not given fits always. */
function definesMethod(dex: DexMembers | null, className?: ModuleArgument, name?: ModuleArgument): boolean {
  if (dex === null) return false;
  const [fitsClass, fitsName] = [testOf(className), testOf(name)];
  const regexps = [className, name].filter((wanted) => wanted?.kind === 'regexp').map(regexpOf);
  return boundedSearch(regexps, () => dex.methods.some((one) => fitsClass(one.class_name) && fitsName(one.name)));
}

/** Texts are compared as they are. */
function testOf(wanted: ModuleArgument | undefined): (value: string) => boolean {
  if (wanted === undefined) return () => true;
  return wanted.kind === 'regexp' ? searchOf(wanted) : (value) => value === String(wanted.value);
}
