// Does to smali what d8, R8 and obfuscators do, and keeps what it does: the same seed, the same changes. Knows no decompiler.
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import { type Random, randomOf } from './random/choices.ts';
import { registersOf, renumbered, withFreeRegisters } from './registers.ts';
import { renamed } from './renaming.ts';
import {
  type Body,
  fallsThrough,
  type Instruction,
  mapMethods,
  parseBody,
  printBody,
  signatureOf,
} from './smali-body.ts';

const shuffledBy =
  (random: Random) =>
  <T>(list: readonly T[]): T[] => {
    const out = [...list];
    for (let left = out.length - 1; left > 0; left--) {
      const other = Math.floor(random() * (left + 1));
      [out[left], out[other]] = [out[other]!, out[left]!];
    }
    return out;
  };

type Step = (body: Body, random: Random, free: number) => Body;
const plain = (line: string): Instruction => ({ labels: [], debug: [], lines: [line], handlers: [] });

const withoutDebug: Step = (body) => ({
  ...body,
  head: body.head.map((line) => line.replace(/^(\.param p\d+), ".*"$/, '$1')),
  instructions: body.instructions.map((each) => ({ ...each, debug: [] })),
});

/** Blocks in another order, each that went on into the next ending in a jump; what was one try is several. */
const reordered: Step = (body, random) => {
  const blocks: Instruction[][] = [[]];
  for (const [index, instruction] of body.instructions.entries()) {
    blocks.at(-1)!.push(instruction);
    if (!fallsThrough(instruction) || random() < 0.25) blocks.push([]);
    else if (body.instructions[index + 1]?.labels.length) blocks.push([]);
  }
  const filled = blocks.filter((block) => block.length > 0);
  const named = filled.map(([first, ...rest], index) => [
    { ...first!, labels: [...first!.labels, `:block_${index}`] },
    ...rest,
  ]);
  const joined = named.map((block, index) =>
    fallsThrough(block.at(-1)!) && index + 1 < named.length ? [...block, plain(`goto/32 :block_${index + 1}`)] : block,
  );
  const [first, ...rest] = joined;
  return { ...body, instructions: [...first!, ...shuffledBy(random)(rest).flat()] };
};

/** The same number in the same block is one constant, whether it is used as a number or as null. */
const sharedConstants: Step = (body) => {
  const known = new Map<string, number>();
  const instructions = body.instructions.map((instruction) => {
    const { labels, lines } = instruction;
    if (labels.length > 0) known.clear();
    const constant = lines[0]!.match(/^const(?:\/4|\/16)? v(\d+), (-?0x[0-9a-f]+)$/);
    const written = lines.flatMap((line) => registersOf(line));
    const source = constant === null ? undefined : known.get(constant[2]!);
    for (const [value, register] of known)
      if (written.some((each) => each === register || each + 1 === register)) known.delete(value);
    if (constant === null) return instruction;
    const register = Number(constant[1]);
    if (source === undefined || source === register) {
      known.set(constant[2]!, register);
      return instruction;
    }
    return { ...instruction, lines: [`move/16 v${register}, v${source}`] };
  });
  return { ...body, instructions };
};

/** Equal ends are one. */
const mergedTails: Step = (body) => {
  const first = new Map<string, number>();
  const out = body.instructions.map((each) => ({ ...each }));
  for (const [index, instruction] of out.entries()) {
    const last = instruction.lines[0]!;
    if (!/^(?:return|throw)/.test(last)) continue;
    const before = out[index - 1];
    const isLonger =
      before !== undefined &&
      instruction.labels.length === 0 &&
      before.lines.length === 1 &&
      // Objects that are made in two places have two constructor calls: the verifier refuses others.
      !before.lines[0]!.includes('-><init>(');
    const handlers = (each: Instruction) => JSON.stringify(each.handlers);
    const key = `${isLonger ? `${before.lines[0]}${handlers(before)}` : ''}\n${last}${handlers(instruction)}`;
    const known = first.get(key);
    if (known === undefined) {
      first.set(key, index);
      continue;
    }
    const kept = isLonger ? known - 1 : known;
    const label = `:tail_${kept}`;
    if (!out[kept]!.labels.includes(label)) out[kept] = { ...out[kept]!, labels: [...out[kept]!.labels, label] };
    if (isLonger && fallsThrough(before)) out[index - 1] = { ...before, lines: ['nop'] };
    out[index] = { ...instruction, lines: [`goto/32 ${label}`], handlers: [] };
  }
  return { ...body, instructions: out };
};

/** Moves nobody needs, code nobody reaches, and branches that always go the same way. */
const cluttered: Step = (body, random, free) => {
  const out: Instruction[] = [];
  const tail: Instruction[] = [];
  for (const [index, instruction] of body.instructions.entries()) {
    const hasResult = /^(?:move-result-object|const-string|iget-object|sget-object|check-cast)/;
    const isEntry = instruction.lines[0]!.startsWith('move-exception');
    if (!isEntry && index > 0 && random() < 0.08) {
      const label = `:opaque_${index}`;
      const value = 1 + Math.floor(random() * 1000);
      out.push({ ...plain(`const/16 v${free}, 0x${value.toString(16)}`), labels: instruction.labels });
      if (random() < 0.5) out.push(plain(`mul-int v${free}, v${free}, v${free}`));
      out.push(plain(`if-eqz v${free}, :fake_${index}`), { ...instruction, labels: [label] });
      tail.push({ ...plain(`const/16 v${free}, 0x0`), labels: [`:fake_${index}`] });
      if (random() < 0.5) tail.push(plain(`throw v${free}`));
      else tail.push(plain(`goto/32 ${label}`));
    } else out.push(instruction);
    const line = instruction.lines.at(-1)!;
    if (hasResult.test(line) && random() < 0.15) {
      const [register] = registersOf(line);
      out.push(plain(`move-object/16 v${free + 1}, v${register}`));
      if (random() < 0.5) out.push(plain(`move-object/16 v${register}, v${free + 1}`));
    }
    if (!fallsThrough(instruction) && random() < 0.1) {
      out.push(plain(`const/16 v${free}, 0x7`), plain(random() < 0.5 ? 'return-void' : `throw v${free}`));
    }
  }
  return { ...body, instructions: [...out, ...tail] };
};

export const steps = {
  debug: withoutDebug,
  constants: sharedConstants,
  tails: mergedTails,
  clutter: cluttered,
  order: reordered,
} as const;
export type StepName = keyof typeof steps | 'registers' | 'names';
const stepNames: readonly StepName[] = ['names', 'debug', 'constants', 'tails', 'clutter', 'order', 'registers'];

/** Opaque branches and moves have three registers of their own; instructions with bytes for registers reach 255. */
const freeRegisters = 3;

/** A step that is taken with one method, `a/Main->main([Ljava/lang/String;)V`, or with all names. */
export interface Change {
  readonly step: StepName;
  readonly method: string | null;
}

function mangledMethod(method: readonly string[], randomFor: (step: string) => Random, chosen: ReadonlySet<StepName>) {
  const parsed = chosen.size === 0 ? null : parseBody(method);
  if (parsed === null || parsed.registers > 200 || parsed.instructions.length === 0) return method;
  const { body, first } = withFreeRegisters(parsed, freeRegisters);
  let changed: Body = body;
  for (const name of stepNames) {
    if (!chosen.has(name) || name === 'names') continue;
    const random = randomFor(name);
    if (name === 'registers') changed = renumbered(changed, first, shuffledBy(random));
    else changed = steps[name](changed, random, first);
  }
  return printBody(changed);
}

/** What a seed does to a program. @param chosen the steps to take; some of them where not told */
export function changesOf(classes: readonly SmaliClass[], seed: number, chosen?: readonly StepName[]): Change[] {
  const random = randomOf(seed, '');
  const wanted = chosen ?? stepNames.filter(() => random() < 0.7);
  const changes: Change[] = wanted.includes('names') ? [{ step: 'names', method: null }] : [];
  for (const { name, text } of classes) {
    mapMethods(text, (lines) => {
      const method = `${name}->${signatureOf(lines)}`;
      for (const step of wanted) if (step !== 'names' && random() < 0.8) changes.push({ step, method });
      return lines;
    });
  }
  return changes;
}

/** Each change does the same whichever others there are. */
export function changed(classes: readonly SmaliClass[], seed: number, changes: readonly Change[]): SmaliClass[] {
  const byMethod = Map.groupBy(changes, ({ method }) => method);
  const mangled = classes.map(({ name, text }) => ({
    name,
    text: mapMethods(text, (lines) => {
      const method = `${name}->${signatureOf(lines)}`;
      const chosen = new Set(byMethod.get(method)?.map(({ step }) => step));
      return mangledMethod(lines, (step) => randomOf(seed, `${step} ${method}`), chosen);
    }),
  }));
  return byMethod.has(null) ? renamed(mangled, randomOf(seed, 'names')) : mangled;
}

export const mangle = (classes: readonly SmaliClass[], seed: number, chosen?: readonly StepName[]): SmaliClass[] =>
  changed(classes, seed, changesOf(classes, seed, chosen));
