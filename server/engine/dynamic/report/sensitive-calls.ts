// Every place in the app's own code that calls something sensitive: what it was called with, or why it was not. Knows no model.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import { scanCode } from '../../formats/dex/code-scan.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import type { Coverage } from '../machine/coverage.ts';
import type { Value } from '../machine/heap.ts';
import type { CallerPlace } from '../machine/machine.ts';
import type { Machine } from '../machine/model.ts';
import { type CallValues, callValues } from './call-values.ts';
import type { MissedCalls } from './missed-calls.ts';
import type { CallPlace } from './obstacles.ts';
import { type IsOwn, isConstantsOnly } from './own-code.ts';
import { sensitiveApi, sensitiveMethods } from './sensitive-apis.ts';

type SensitiveCall = NonNullable<DynamicReport['coverage']['sensitive_calls']>[number];
type OwnCoverage = NonNullable<DynamicReport['coverage']['own']>;

/** A place whose call was not seen. */
export interface MissedCall extends CallPlace {
  /** Of the method that it calls. */
  readonly name: string;
  readonly api: string;
}

/** What became of it in a directed run. */
export interface ReachedCall {
  readonly state: Exclude<SensitiveCall['state'], 'unreached'>;
  readonly values: CallValues[];
  /** What the app had to be told. */
  readonly inputs: NonNullable<SensitiveCall['inputs']>;
}

const maxSites = 2_000;
/** Of one place: a loop calls thousands of times. */
const maxValues = 5;
/** Calls whose arguments are put in words. */
const maxCalls = 50_000;

/** What a place was seen to call: one method, or several by reflection. */
interface SeenCall {
  readonly api: string;
  readonly values: CallValues[];
}
/** By dex file, method, address and name of the called method, which a call of an interface has in common with its class. */
type SeenCalls = Map<Dex, Map<number, Map<number, Map<string, SeenCall>>>>;

export interface Inventory {
  readonly own: OwnCoverage;
  readonly calls: SensitiveCall[];
  /** Those of `calls` that were not seen, by their place. */
  readonly unreached: ReadonlyMap<MissedCall, SensitiveCall>;
  readonly isFull: boolean;
}

/** Takes down the sensitive calls of a run. */
export class SensitiveCalls {
  readonly #seen: SeenCalls = new Map();
  readonly #machine: () => Machine;
  #calls = 0;

  constructor(machine: () => Machine) {
    this.#machine = machine;
  }

  isWatched = (method: MethodInfo): boolean => sensitiveApi(method.owner.descriptor, method.name) !== null;

  /** A watched method is called. */
  note(method: MethodInfo, args: readonly Value[], caller: CallerPlace | null): void {
    const api = sensitiveApi(method.owner.descriptor, method.name);
    if (caller === null || api === null || this.#calls++ >= maxCalls) return;
    const { values } = this.#seenAt(caller, method.name, api);
    if (values.length >= maxValues) return;
    const told = callValues(this.#machine(), method, args);
    if (!values.some((other) => JSON.stringify(other) === JSON.stringify(told))) values.push(told);
  }

  #seenAt({ dex, methodIndex, address }: CallerPlace, name: string, api: string): SeenCall {
    const methods = inMap(this.#seen, dex, () => new Map<number, Map<number, Map<string, SeenCall>>>());
    const addresses = inMap(methods, methodIndex, () => new Map<number, Map<string, SeenCall>>());
    const names = inMap(addresses, address, () => new Map<string, SeenCall>());
    return inMap(names, name, () => ({ api, values: [] }));
  }

  /**
   * The inventory of a run that is over.
   * @param isOwn whether a class of a dex file is the app's own and no known library's
   * @param missed tells why a place was not reached
   */
  inventory(coverage: Coverage, isOwn: IsOwn, missed: MissedCalls): Inventory {
    const own: OwnCoverage = {
      methods_total: 0,
      methods_executed: 0,
      instructions_total: 0,
      instructions_executed: 0,
    };
    const calls: SensitiveCall[] = [];
    const unreached = new Map<MissedCall, SensitiveCall>();
    for (const dex of coverage.dexFiles) {
      const wanted = sensitiveMethods(dex);
      const marks = new Uint8Array(dex.methodCount);
      for (const index of wanted.keys()) marks[index] = 1;
      const isOwnClass = (classIndex: number) =>
        isOwn(dex, dex.className(classIndex)) && !isConstantsOnly(dex, classIndex);
      const counts = scanCode(
        dex,
        { classes: isOwnClass, methods: marks },
        (_, methodIndex, __, address, ___, index) => {
          const api = wanted.get(index);
          if (api === undefined || calls.length >= maxSites) return;
          const name = dex.methodName(index);
          const place = { dex, methodIndex, address, name, api };
          const call = this.#accounted(place, coverage, missed);
          calls.push(call);
          if (call.state === 'unreached') unreached.set(place, call);
        },
      );
      own.methods_total += counts.methods - counts.methodsWithoutCode;
      own.instructions_total += counts.instructions;
      for (const [methodIndex, code] of coverage.ran.get(dex) ?? []) {
        if (!isOwn(dex, dex.methodClass(methodIndex))) continue;
        own.methods_executed++;
        own.instructions_executed += code.executed;
        calls.push(...this.#reflected(dex, methodIndex).slice(0, maxSites - calls.length));
      }
    }
    return { own, calls, unreached, isFull: calls.length >= maxSites };
  }

  #accounted(call: MissedCall, coverage: Coverage, missed: MissedCalls): SensitiveCall {
    const { dex, methodIndex, address, name, api } = call;
    const place = { method: dex.method(methodIndex), address, api };
    const names = this.#seen.get(dex)?.get(methodIndex)?.get(address);
    const seen = names?.get(name);
    names?.delete(name);
    if (seen !== undefined) return { ...place, state: 'observed', values: seen.values, reason: '' };
    const ran = coverage.ran.get(dex)?.get(methodIndex);
    // A call that nobody watched, as where the app's own subclass answers.
    const isSeen = ran?.hasRun(address) && ran.thrownAt(address) === null;
    return {
      ...place,
      state: isSeen ? 'observed' : 'unreached',
      values: [],
      reason: isSeen ? '' : missed.reasonOf(call),
    };
  }

  /** What a method called at places that do not name it: by reflection. */
  #reflected(dex: Dex, methodIndex: number): SensitiveCall[] {
    const places = [...(this.#seen.get(dex)?.get(methodIndex) ?? [])];
    return places.flatMap(([address, names]) =>
      Array.from(names.values(), ({ api, values }) => ({
        ...{ method: dex.method(methodIndex), address, api },
        ...{ state: 'observed' as const, values, reason: '' },
      })),
    );
  }
}

function inMap<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
