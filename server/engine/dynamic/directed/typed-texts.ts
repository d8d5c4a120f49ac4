// What the app compares with what is typed, and what has to be typed instead. Part of a directed run: it leads to no call.
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type MethodBody, waysOn } from '../../code/method-body.ts';
import { literalsOf } from '../machine/preparation.ts';
import type { PreparedMethod } from '../machine/prepared-method.ts';
import type { Comparison } from './comparisons.ts';
import { type CipherUse, crossings } from './crossings.ts';
import type { MadeDecision } from './decisions.ts';
import type { Guide } from './guide.ts';
import type { Plain } from './told-values.ts';
import type { Trial } from './trial.ts';
import { branchRelation, holdsBetween, isAlikeOrNot, type WantedValue, wantedValues } from './wanted-values.ts';

/** A comparison of what is typed. */
export interface TypedComparison {
  /** `Lcom/a/B;->m(I)V` */
  readonly method: string;
  /** Of the branch, in code units. */
  readonly address: number;
  /** Which field: `android.widget.EditText.getText of the field "PIN"`. */
  readonly source: string;
  /** What it is compared with; bytes in hex. */
  text: string;
  /** What has to be typed so that they agree; absent where nothing was found. */
  input?: string;
}

interface Surroundings {
  readonly guide: Guide;
  readonly methods: AppMethods;
  readonly run: (trial: Trial) => void;
  /** What the app encrypted so far. */
  readonly ciphers: () => readonly CipherUse[];
}

/** A branch of the app's code. */
interface Branch {
  readonly method: AppMethod;
  readonly prepared: PreparedMethod;
  /** Among the method's instructions. */
  readonly position: number;
  readonly body: MethodBody;
  /** The field. */
  readonly source: string;
}

type Outcome = 'reached' | 'further' | 'none';

/** Letters that one branch asks for, one after the other. */
const maxSteps = 40;
const maxRounds = 8;
const maxComparisons = 200;
const maxText = 1_000;
const anyNumber = '4711';

export class TypedTexts {
  readonly #at: Surroundings;
  readonly #found = new Map<string, TypedComparison>();
  readonly #tried = new Set<string>();
  #end = 0;
  /** The methods of the app by their code. */
  readonly #known = new Map<PreparedMethod, AppMethod | null>();

  constructor(surroundings: Surroundings) {
    this.#at = surroundings;
  }

  get #isSpent(): boolean {
    return this.#at.guide.cpuMilliseconds > this.#end;
  }

  get found(): TypedComparison[] {
    return [...this.#found.values()];
  }

  /** Types what the app's branches ask for, until nothing new is asked. @param milliseconds of the processor */
  solve(milliseconds: number): void {
    const { guide, run } = this.#at;
    this.#end = guide.cpuMilliseconds + milliseconds;
    for (const [place, entry] of guide.numberFields) {
      if (!this.#isSpent) run({ entry, instead: new Map([[place, anyNumber]]), forced: null });
    }
    for (let round = 0; round < maxRounds; round++) {
      const before = this.#tried.size;
      for (const { prepared, position, place } of [...guide.decisions.typed()]) {
        if (this.#isSpent) return;
        this.#climb(prepared, position, place);
      }
      if (this.#tried.size === before) return;
    }
  }

  /** Goes on with what brought the app further at a branch, letter by letter. */
  #climb(prepared: PreparedMethod, position: number, source: string): void {
    const method = this.#methodOf(prepared);
    const body = method === null ? undefined : this.#at.methods.definitionsOf(method)?.body;
    if (method === null || body === undefined) return;
    const branch: Branch = { method, prepared, position, body, source };
    let before: MadeDecision | null = null;
    for (let step = 0; step < maxSteps && !this.#isSpent; step++) {
      const { last } = this.#at.guide.decisions.lastAt(prepared, position, source)!;
      this.#note(branch, last);
      const other = otherWay(branch, last);
      if (other === null || !isWanted(branch, other, last)) return;
      const { texts } = literalsOf(prepared.method);
      const wanted = wantedValues(last, body, position, other, texts, crossings(this.#at.ciphers()));
      const next = [...secant(before, last), ...wanted].filter(({ place }) => place.words === source);
      before = last;
      let outcome: Outcome = 'none';
      for (const { value } of next) if (outcome === 'none') outcome = this.#try(String(value), branch, last);
      if (outcome === 'none' || outcome === 'reached') return;
    }
  }

  /** Types a text, and says how far the app came. */
  #try(text: string, branch: Branch, last: MadeDecision): Outcome {
    const { guide, run } = this.#at;
    const { method, prepared, position, source } = branch;
    const entry = guide.entryOf(method);
    const where = entry.where === '' ? entry : { where: screenOf(source) ?? entry.where };
    const instead = new Map<string, Plain>([...last.trial.instead, [source, text]]);
    const told = [...instead].map(([words, each]) => [words, String(each)]);
    const key = JSON.stringify([method.key, position, told]);
    if (this.#tried.has(key)) return 'none';
    this.#tried.add(key);
    const { looks } = guide.decisions.lastAt(prepared, position, source)!;
    const { firstRuns } = guide;
    const trial: Trial = { entry: where, instead, forced: null, at: { prepared, position } };
    run(trial);
    if (!guide.hasDecided(trial)) run({ ...trial, isAnew: true });
    const now = guide.decisions.lastAt(prepared, position, source)!;
    if (now.last.trial.instead !== instead) return 'none';
    this.#note(branch, now.last);
    if (otherWay(branch, now.last) !== otherWay(branch, last)) {
      this.#solved(branch, last, text);
      return 'reached';
    }
    const isFurther = now.looks > looks || guide.firstRuns > firstRuns;
    return isFurther || now.last.operands[0].value !== last.operands[0].value ? 'further' : 'none';
  }

  /** What a text is compared with is told also where nothing was found that is alike. */
  #note(branch: Branch, { comparison, operands }: MadeDecision): void {
    const [, told] = operands.flatMap((each) => each.told).find(([place]) => place.words === branch.source) ?? [];
    if (comparison === null || typeof told !== 'string' || comparison.how === 'isEmpty') return;
    const [left, right] = comparison.texts;
    if (left === null || right === null || left === '' || right === '') return;
    const isTurned = told.includes(right) && !told.includes(left);
    const entry = this.#entry(branch, isTurned ? left : right);
    if (isAgreed(comparison) && entry !== null) entry.input ??= told;
  }

  #solved(branch: Branch, { comparison, operands, compared }: MadeDecision, input: string): void {
    const number = (compared ?? operands).find(({ told }) => told.length === 0)?.value;
    // Letter by letter, or by its length first: the whole text says it all.
    const isPart = comparison === null && !/^-?\d+$/.test(input);
    const entry = this.#entry(branch, isPart ? '' : String(number ?? ''), isPart);
    if (entry === null) return;
    entry.input = input.slice(0, maxText);
    if (isPart) entry.text = entry.input;
  }

  /** The comparison at a branch; null where there is no room for it. */
  #entry({ method, body, position, source }: Branch, text: string, isPart = false): TypedComparison | null {
    const address = body.instructions[position]!.at;
    const key = `${method.key} ${isPart ? '' : address} ${source}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    if (this.#found.size >= maxComparisons) return null;
    const entry: TypedComparison = { method: method.key, address, source, text: text.slice(0, maxText) };
    this.#found.set(key, entry);
    return entry;
  }

  #methodOf(prepared: PreparedMethod): AppMethod | null {
    let known = this.#known.get(prepared);
    if (known === undefined) {
      const { owner, signature } = prepared.method;
      known = this.#at.methods.methodsOf(owner.descriptor).get(signature) ?? null;
      this.#known.set(prepared, known);
    }
    return known;
  }
}

/** Whether what was compared was alike. */
const isAgreed = ({ how, result }: Comparison): boolean => (/^compareTo/.test(how) ? result === 0 : Number(result) > 0);

/** Whether the app should go the other way: where it never went, or where two that differ would be alike. */
function isWanted(
  { body, prepared, position }: Branch,
  other: number,
  { comparison, operands: [left, right] }: MadeDecision,
): boolean {
  if (!prepared.hasRun(body.instructions[other]!.at)) return true;
  if (comparison !== null) return !isAgreed(comparison);
  return isAlikeOrNot(body.instructions[position]!.opcode.value) && left.value !== right.value;
}

/** The screen that a field is on; null where its place does not say. */
const screenOf = (source: string): string | null => / on ([\w.$]+)$/.exec(source)?.[1] ?? null;

/** Where a branch did not go; null where it has more than two ways, or nobody can tell. */
function otherWay({ body, position }: Branch, { operands: [left, right] }: MadeDecision): number | null {
  const instruction = body.instructions[position]!;
  const relation = branchRelation(instruction.opcode.value);
  if (relation === null) return null;
  const isTaken = holdsBetween(relation, left.value, right.value);
  const [target] = instruction.targets;
  const ways = [...waysOn(instruction)];
  return isTaken === null || target === undefined ? null : (ways.find((way) => (way === target) !== isTaken) ?? null);
}

/** The number that fits where two typed ones led to two results: what the app reckons is taken for a straight line. */
function secant(before: MadeDecision | null, last: MadeDecision): WantedValue[] {
  const [first, second] = [before, last].map((each) => {
    const [left, right] = each?.operands ?? [];
    const [place = null, told] = left?.told[0] ?? [];
    return { place, told: Number(told ?? Number.NaN), seen: Number(left?.value), wanted: Number(right?.value) };
  });
  const { place, told, seen, wanted } = second!;
  const number = told + ((wanted - seen) * (told - first!.told)) / (seen - first!.seen);
  return place !== null && Number.isSafeInteger(number) ? [{ place, value: String(number) }] : [];
}
