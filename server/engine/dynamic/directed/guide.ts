// Leads a machine through a trial, and takes down the sensitive calls that it makes there. Knows no search.
import type { AppMethod } from '../../code/app-methods.ts';
import { roughCpuMilliseconds } from '../../cpu-time.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { App } from '../android/components/app.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import { type CodePlace, type Director, type Registers, redirect, type TaintedValue } from '../machine/direction.ts';
import { HeapObject, JavaString, type Taint, type Value } from '../machine/heap.ts';
import type { CallerPlace, MachineHost } from '../machine/machine.ts';
import { PreparedMethod } from '../machine/prepared-method.ts';
import { callValues } from '../report/call-values.ts';
import { sensitiveApi } from '../report/sensitive-apis.ts';
import type { MissedCall, ReachedCall } from '../report/sensitive-calls.ts';
import { Comparisons, isParsing } from './comparisons.ts';
import { Decisions } from './decisions.ts';
import { MadeUp } from './made-up.ts';
import { isTyped, ToldValues, tellingText } from './told-values.ts';
import type { Entry, Trial } from './trial.ts';

/** Different calls of one place. */
const maxValues = 5;
/** Objects that stand for null in one trial. */
const maxStandIns = 2_000;
const maxInputs = 10;

const natural: Trial = { entry: { where: '' }, instead: new Map(), forced: null };

export class Guide implements Director {
  readonly #setting: () => { machine: MachineHost; where: string };
  readonly #places = new Map<Dex, Map<string, MissedCall>>();
  /** The methods that have begun, by `Lcom/a/B;->m(I)V`, with what first made them run. */
  readonly #begun = new Map<string, { readonly method: MethodInfo; readonly entry: Entry }>();
  readonly #started = roughCpuMilliseconds();
  /** What became of the places that were reached. */
  readonly reached = new Map<MissedCall, ReachedCall>();
  #parts: { told: ToldValues; comparisons: Comparisons; decisions: Decisions; madeUp: MadeUp } | null = null;
  #trial = natural;
  /** The app's package. */
  #home = '';
  #where = '';
  #standIns = 0;
  /** By the words of a field whose text the app reads as a number, where that failed, what made it do so. */
  readonly numberFields = new Map<string, Entry>();

  constructor(missed: readonly MissedCall[], setting: () => { machine: MachineHost; where: string }) {
    this.#setting = setting;
    for (const call of missed) {
      const known = this.#places.get(call.dex) ?? new Map<string, MissedCall>();
      this.#places.set(call.dex, known.set(placeKey(call.methodIndex, call.address, call.name), call));
    }
  }

  /** The app is installed. */
  begin(app: App, dexFiles: readonly Dex[]): void {
    const { machine } = this.#setting();
    this.#home = app.packageName;
    const told = new ToldValues(machine);
    const comparisons = new Comparisons(machine);
    const madeUp = new MadeUp(machine, app, dexFiles);
    this.#parts = { told, comparisons, decisions: new Decisions(told, comparisons), madeUp };
    for (const owner of ['Landroid/os/Build;', 'Landroid/os/Build$VERSION;']) {
      for (const { name, descriptor } of machine.classOf(owner).staticFields)
        if (descriptor === 'I' || descriptor === 'Ljava/lang/String;') told.addConstant(owner, name, descriptor);
    }
  }

  get decisions(): Decisions {
    return this.#parts!.decisions;
  }

  /** Milliseconds of the processor since the run began. */
  get cpuMilliseconds(): number {
    return roughCpuMilliseconds() - this.#started;
  }

  /** Instructions that have run for the first time. */
  get firstRuns(): number {
    return this.#setting().machine.firstRuns;
  }

  /** Whether the trial came by the branch that it is about. */
  hasDecided({ at }: Trial): boolean {
    return at === undefined || this.decisions.hasSeen(at.prepared, at.position);
  }

  /** What first made a method run; where nothing did, what the app listens to away from screens. */
  entryOf({ key }: AppMethod): Entry {
    return this.#begun.get(key)?.entry ?? { where: this.#home };
  }

  /** The code of a method that has begun; null where it has not. */
  codeOf({ key, place }: AppMethod): PreparedMethod | null {
    const code = this.#begun.get(key)?.method.code;
    return code instanceof PreparedMethod && code.dex === place.dex ? code : null;
  }

  /** From here on the machine is in a trial. @returns what undoes it */
  beginTrial(trial: Trial): (() => void)[] {
    this.#trial = trial;
    this.#standIns = 0;
    this.#parts!.told.tellInstead(trial.instead);
    this.#parts!.decisions.beginTrial();
    const undo = (trial.forced?.redirects ?? []).flatMap(([method, from, to]) => redirect(method, from, to) ?? []);
    // The latest first, as one place may be redirected twice.
    return undo.reverse();
  }

  /** Calls a method that nobody calls, with what its parameters ask for. */
  call({ owner, name, descriptor, isStatic }: AppMethod): void {
    const { machine } = this.#setting();
    const method = machine.findClass(owner)?.methods.get(name + descriptor);
    if (method === undefined) return;
    const types = isStatic ? method.parameters : [owner, ...method.parameters];
    const args = types.map((type) => this.#parts!.madeUp.value(type));
    if (!isStatic && args[0] == null) return;
    machine.invoke(
      method,
      args.map((each) => each?.value ?? null),
      args.map((each) => each?.taint ?? 0),
    );
  }

  // What the machine asks.

  isWatched = (method: MethodInfo): boolean =>
    sensitiveApi(method.owner.descriptor, method.name) !== null ||
    ToldValues.tells(method) ||
    Comparisons.compares(method);

  called(method: MethodInfo, args: readonly Value[], callerOf: () => CallerPlace | null): void {
    if (isParsing(method.owner.descriptor)) this.#noteNumber(args);
    const caller = sensitiveApi(method.owner.descriptor, method.name) === null ? null : callerOf();
    if (caller === null) return;
    const call = this.#places.get(caller.dex)?.get(placeKey(caller.methodIndex, caller.address, method.name));
    if (call === undefined) return;
    const reached = this.reached.get(call) ?? this.#begin(call);
    const state = this.#state;
    if (reached.state !== state || reached.values.length >= maxValues) return;
    const values = { ...callValues(this.#setting().machine, method, args), ...this.#madeUpOf(method, args) };
    if (!reached.values.some((other) => JSON.stringify(other) === JSON.stringify(values))) reached.values.push(values);
  }

  #noteNumber([text]: readonly Value[]): void {
    if (this.#parts === null || !(text instanceof JavaString) || /^[+-]?\d+$/.test(text.text)) return;
    for (const place of this.#parts.told.placesIn(this.#setting().machine.argumentTaint(0)))
      if (isTyped(place)) this.numberFields.set(place.words, { where: this.#where });
  }

  get #state(): ReachedCall['state'] {
    const { forced, instead } = this.#trial;
    return forced !== null ? 'forced' : instead.size > 0 ? 'solved' : 'observed';
  }

  #begin(call: MissedCall): ReachedCall {
    const inputs = this.#state === 'solved' ? this.#inputs() : [];
    const reached: ReachedCall = { state: this.#state, values: [], inputs };
    this.reached.set(call, reached);
    return reached;
  }

  /** What the app was told that decided about the call: what the trial changed of it, else all of it. */
  #inputs(): ReachedCall['inputs'] {
    const { told } = this.#parts!;
    const { instead } = this.#trial;
    const deciding = told.placesIn(this.#setting().machine.controlTaint);
    const changed = deciding.filter(({ words }) => instead.has(words));
    const shown = changed.length > 0 ? changed : deciding;
    return shown.slice(0, maxInputs).map((place) => ({ source: place.words, value: tellingText(place, place.last) }));
  }

  /** Which arguments are made up: by their number, the receiver left out. */
  #madeUpOf(method: MethodInfo, args: readonly Value[]): { made_up?: number[] } {
    if (this.#trial.forced === null) return {};
    const { machine } = this.#setting();
    const first = args.length - method.parameters.length;
    const found = method.parameters.flatMap((_, index) =>
      this.#parts!.madeUp.isMadeUp(args[first + index] ?? null, machine.argumentTaint(first + index)) ? [index] : [],
    );
    return found.length === 0 ? {} : { made_up: found };
  }

  answered(method: MethodInfo, args: readonly Value[], value: Value): TaintedValue | null {
    if (this.#parts === null) return null;
    if (Comparisons.compares(method)) {
      const taint = this.#parts.comparisons.note(method, args, value);
      return taint === 0 ? null : { value, taint };
    }
    return ToldValues.tells(method) ? this.#parts.told.answered(method, args, value) : null;
  }

  decided(place: CodePlace, taint: Taint, registers: Registers): void {
    if (this.#parts === null || this.#trial.forced !== null || taint === 0) return;
    this.#parts.decisions.note(place, registers, this.#trial);
  }

  standIn(_: CodePlace, descriptor: string): TaintedValue | null {
    if (this.#trial.forced === null || this.#standIns++ >= maxStandIns) return null;
    const made = this.#parts!.madeUp.value(descriptor);
    return made?.value instanceof HeapObject ? made : null;
  }

  passOver({ prepared, at }: CodePlace, returns: string): TaintedValue | null {
    if (this.#trial.forced?.passed.get(prepared)?.has(prepared.addressAt(at)) !== true) return null;
    return this.#parts!.madeUp.value(returns) ?? { value: null, taint: 0 };
  }

  began(method: MethodInfo): void {
    const { call } = this.#trial.entry;
    const { where } = this.#setting();
    if (where !== '') this.#where = where;
    const entry = call === undefined ? { where: this.#where } : { where: '', call };
    this.#begun.set(`${method.owner.descriptor}->${method.signature}`, { method, entry });
  }
}

const placeKey = (methodIndex: number, address: number, name: string): string => `${methodIndex} ${address} ${name}`;
