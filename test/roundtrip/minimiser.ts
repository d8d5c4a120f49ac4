// Reduces a program that a seed's changes make fail to the changes, classes and methods it fails with. Knows no command line.
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import { changed, changesOf } from './mangler.ts';
import { failureOf, type Program, roundTripOfClasses, type Stage, smaliOf } from './round-trip.ts';
import { mapMethods, signatureOf } from './smali-body.ts';

/**
 * The items without which it is not so any more, by delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", 2002): pieces are left out, and smaller ones where none can be.
 */
export async function minimal<Item>(
  items: readonly Item[],
  isStillSo: (kept: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items;
  if (await isStillSo([])) return [];
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (fewer.length > 0 && (await isStillSo(fewer))) {
        kept = fewer;
        isShorter = true;
      } else at += size;
    }
    if (size === 1 && !isShorter) break;
    size = isShorter ? Math.min(size, Math.ceil(kept.length / 2)) : Math.floor(size / 2);
  }
  return kept;
}

export interface Minimised {
  readonly failure: string;
  /** `order of a/Main->main([Ljava/lang/String;)V` */
  readonly changes: readonly string[];
  /** The methods that still do something. */
  readonly methods: readonly string[];
  readonly classes: readonly SmaliClass[];
}

/** @param seed null for the program as it is. @returns null where it does not fail */
export async function minimised(stage: Stage, program: Program, seed: number | null): Promise<Minimised | null> {
  const plain = await smaliOf(stage, program);
  if (!Array.isArray(plain)) return null;
  const failure = async (classes: readonly SmaliClass[]): Promise<string | null> =>
    await roundTripOfClasses(stage, program.name, classes).then(
      (result) => (result.notCarried === null ? failureOf(result) : null),
      () => 'failed',
    );
  const all = seed === null ? [] : changesOf(plain, seed);
  const mangledBy = (changes: typeof all) => (seed === null ? plain : changed(plain, seed, changes));
  const wanted = await failure(mangledBy(all));
  if (wanted === null) return null;
  const isSame = async (classes: readonly SmaliClass[]) => (await failure(classes)) === wanted;
  const changes = await minimal(all, async (kept) => await isSame(mangledBy([...kept])));
  const mangled = mangledBy([...changes]);
  const needed = await minimal(mangled, async (kept) => kept.length > 0 && (await isSame(kept)));
  const methods = await minimal(
    needed.flatMap(emptiable),
    async (kept) => await isSame(emptied(needed, new Set(kept))),
  );
  return {
    failure: wanted,
    changes: changes.map(({ step, method }) => `${step} of ${method ?? 'the program'}`),
    methods,
    classes: emptied(needed, new Set(methods)),
  };
}

/** Constructors have to call others. */
function emptiable({ name, text }: SmaliClass): string[] {
  const found: string[] = [];
  mapMethods(text, (lines) => {
    const signature = signatureOf(lines);
    if (lines.some((line) => line.startsWith('.registers ')) && !signature.startsWith('<init>'))
      found.push(`${name}->${signature}`);
    return lines;
  });
  return found;
}

/** Methods that are not kept answer with nothing, zero or null. */
function emptied(classes: readonly SmaliClass[], kept: ReadonlySet<string>): SmaliClass[] {
  return classes.map(({ name, text }) => ({
    name,
    text: mapMethods(text, (lines) => {
      const signature = signatureOf(lines);
      const at = lines.findIndex((line) => line.startsWith('.registers '));
      if (at < 0 || signature.startsWith('<init>') || kept.has(`${name}->${signature}`)) return lines;
      const returned = signature.slice(signature.indexOf(')') + 1);
      const answer = /^[JD]$/.test(returned)
        ? ['const-wide/16 v0, 0x0', 'return-wide v0']
        : [
            'const/4 v0, 0x0',
            returned === 'V' ? 'return-void' : /^[L[]/.test(returned) ? 'return-object v0' : 'return v0',
          ];
      return [...lines.slice(0, at), '.registers 260', ...answer, '.end method'];
    }),
  }));
}
