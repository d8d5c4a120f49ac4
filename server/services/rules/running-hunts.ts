// Hunts that run at the same time read an APK once for all that wait for it. Scans and stores nothing.
import type { OnlyFiles } from '../../contract/engine/content-index.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { HuntRun, WaitingApk } from './hunt-run.ts';

/** What one hunt wants of an APK. */
export interface HuntShare {
  run: HuntRun;
  only: OnlyFiles | undefined;
  /** As they are when the reading begins. */
  texts: HuntRun['texts'];
}

/** One reading of an APK. */
export class HuntPass {
  readonly apk: ApkRecord;
  readonly shares: readonly HuntShare[];
  readonly #end = new AbortController();

  constructor(apk: ApkRecord, shares: readonly HuntShare[]) {
    this.apk = apk;
    this.shares = shares;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends it once all of its hunts are aborted: the end of one is none of the others' business. */
  endIfUnwanted(): void {
    if (this.shares.every(({ run }) => run.signal.aborted)) this.#end.abort();
  }

  /** The files that any of the hunts wants. */
  get files(): OnlyFiles | undefined {
    const wanted = this.shares.map(({ only }) => only);
    const [first] = wanted;
    const isKnown = wanted.every((only) => only !== undefined && only.files_count === first?.files_count);
    return isKnown ? { ...first!, ranges: wanted.flatMap((only) => only!.ranges) } : undefined;
  }
}

export class RunningHunts {
  readonly #runs = new Set<HuntRun>();

  /** Has a hunt share what it reads from now on. */
  add(run: HuntRun): void {
    this.#runs.add(run);
    run.signal.addEventListener('abort', () => {
      for (const pass of run.passes.keys()) pass.endIfUnwanted();
    });
  }

  /** Forgets one that has ended. */
  delete(run: HuntRun): void {
    this.#runs.delete(run);
  }

  /** The reading of an APK that a hunt comes to, taken off all other hunts that wait for it. */
  passOf(run: HuntRun, { apk, only }: WaitingApk): HuntPass {
    const shares: HuntShare[] = [{ run, only, texts: run.texts }];
    if (isShared(run, only)) {
      for (const other of this.#runs) {
        if (other === run || other.signal.aborted || other.texts.length === 0) continue;
        const waiting = other.takeWaiting((one) => one.apk.id === apk.id && isShared(other, one.only));
        if (waiting !== null) shares.push({ run: other, only: waiting.only, texts: other.texts });
      }
    }
    return new HuntPass(apk, shares);
  }
}

/** What is decided by reports reads nothing, and large sets of rules lie compiled for one hunt. */
const isShared = ({ compiledRules }: HuntRun, only: OnlyFiles | undefined): boolean =>
  compiledRules === null && only?.of_reports !== true;
