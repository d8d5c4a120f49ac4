// Scans APKs with the antivirus of the settings: after every static analysis, and when asked. Knows nothing of HTTP.
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOutcome, JobQueue } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../jobs/job-runner.ts';
import { StoredFileError } from '../../store/files/file-store.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { readSetting } from '../settings.ts';
import type { AntivirusFinding, Detections } from '../triage/detections.ts';
import { type Clamav, ClamavRefusal, ClamavUnavailable, type ClamavVerdict, Clamd, Clamscan } from './clamav.ts';

export interface AntivirusState {
  status: 'off' | 'ok' | 'failed';
  /** Why it does not answer. */
  message: string | null;
}

/** The source of its detections. */
const antivirusName = 'ClamAV';
/** Scans of one file that may break off though the antivirus works; then the file is given up. */
const maxInterruptions = 3;
/** Milliseconds for which the antivirus is not asked about its state again. */
const stateAge = 10_000;

/**
 * Words of ClamAV's names, `Andr.Trojan.FakeInst-12` or `PUA.Win.Adware.X-3`, that say what kind of thing it is:
 * https://docs.clamav.net/manual/Signatures/SignatureNames.html
 */
const nameWords = new Set(
  `adware andr android backdoor coinminer countermeasure downloader dropper eicar email exploit file heuristics html
  infostealer ios ircbot java joke js keylogger legacy loader malware multios osx packed packer pdf phishing php
  potentially proxy pua ransomware rootkit spyware swf test tool trojan txt unix unofficial unwanted virus win worm`.split(
    /\s+/,
  ),
);

/** `["andr", "trojan"]` of `Andr.Trojan.FakeInst-12`. */
function tagsOf(signatures: readonly string[]): string[] {
  const words = signatures.flatMap((name) => name.toLowerCase().split('.'));
  return [...new Set(words.filter((word) => nameWords.has(word)))];
}

/** `ClamAV 1.4.6/27458/Sat Nov 21 09:00:00 2026`: the program, the number and the date of its signatures. */
function findingOf({ signatures }: ClamavVerdict, version: string, program: string): AntivirusFinding | null {
  const [signature] = signatures;
  if (signature === undefined) return null;
  const [engine = '', definitions = null, definitionsDate = null] = version.split('/');
  return {
    signature,
    score: null,
    tags: tagsOf(signatures),
    additionalInformation: { engine, definitions, definitions_date: definitionsDate, program, signatures },
  };
}

/** The state is open to everybody: addresses and paths stand in the stage of jobs alone. */
const withoutPlaces = (message: string | null): string | null => message?.split(':', 1)[0] ?? null;

export class AntivirusScans {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #detections: Detections;
  #state: Promise<AntivirusState> | undefined;
  #stateTime = 0;
  /** Why the last attempt to scan failed; null after a success. */
  #fault: string | null = null;
  /** Ends the waits of those who wait for an antivirus. */
  #wake = new AbortController();
  readonly #retryDelay: number;

  /** @param retryDelay milliseconds between two attempts at an antivirus that cannot be asked at present */
  constructor(store: Store, queue: JobQueue, detections: Detections, retryDelay = 10_000) {
    this.#store = store;
    this.#queue = queue;
    this.#detections = detections;
    this.#retryDelay = retryDelay;
  }

  /** Whether an antivirus is switched on. */
  isOn = async (): Promise<boolean> => (await readSetting(this.#store, 'antivirus')) !== 'off';

  /** Whether the antivirus answers at present; asked anew every few seconds at most. */
  state(now = performance.now()): Promise<AntivirusState> {
    if (this.#state === undefined || now - this.#stateTime > stateAge) {
      this.#stateTime = now;
      this.#state = this.#ask();
    }
    return this.#state;
  }

  /** Forgets what was found out with the former settings, and has waiting jobs ask the antivirus again. */
  settingsChanged(): void {
    this.#state = undefined;
    this.#fault = null;
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  async #ask(): Promise<AntivirusState> {
    const engine = await this.#engine();
    if (engine === null) return { status: 'off', message: null };
    try {
      await engine.version();
      return { status: this.#fault === null ? 'ok' : 'failed', message: withoutPlaces(this.#fault) };
    } catch (error) {
      if (!(error instanceof ClamavUnavailable)) throw error;
      return { status: 'failed', message: withoutPlaces(error.message) };
    }
  }

  /** The antivirus as the settings are now, null where it is off. */
  async #engine(): Promise<Clamav | null> {
    const timeout = (await readSetting(this.#store, 'antivirus_timeout_seconds')) * 1000;
    switch (await readSetting(this.#store, 'antivirus')) {
      case 'off':
        return null;
      case 'clamd':
        return new Clamd(await readSetting(this.#store, 'antivirus_address'), timeout);
      case 'clamscan':
        return new Clamscan(
          await readSetting(this.#store, 'antivirus_program'),
          await readSetting(this.#store, 'antivirus_database'),
          timeout,
        );
    }
  }

  /** Follows the end of a job: that of a static analysis queues the scan, a failed one too, which needs the bytes alone. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    const { kind, apkId, status, errorCode, priority, accountId } = job;
    if (kind !== 'static' || apkId === null || status === 'cancelled') return;
    if (errorCode === 'apk-gone' || errorCode === 'file-missing' || errorCode === 'file-altered') return;
    if ((await readSetting(inside, 'antivirus')) === 'off') return;
    await this.#queue.enqueue({ kind: 'antivirus', apkId, priority, accountId }, inside);
  };

  /**
   * The handler of `antivirus` jobs. Where the antivirus cannot be asked at all, the job waits for it, its stage and the
   * state say why: nothing that came in meanwhile stays unscanned.
   */
  readonly perform: JobHandler<'antivirus'> = async (job, context): Promise<JobOutcome> => {
    const apk = job.apkId === null ? null : await this.#store.apks.findById(job.apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    for (let interruptions = 0; ; ) {
      const engine = await this.#engine();
      if (engine === null) {
        return { status: 'failed', code: 'antivirus-off', message: 'The antivirus was switched off before this scan.' };
      }
      try {
        return await this.#scan(apk, engine, context);
      } catch (error) {
        if (context.signal.aborted) return { status: 'failed', code: 'cancelled', message: 'The scan was stopped.' };
        if (error instanceof StoredFileError) {
          return { status: 'failed', code: `file-${error.code}`, message: `The stored file is ${error.code}.` };
        }
        if (error instanceof ClamavRefusal) {
          return { status: 'failed', code: 'antivirus-refusal', message: error.message };
        }
        const message = error instanceof Error ? error.message : String(error);
        if (await this.#isAnswering(engine, error)) {
          interruptions += 1;
          if (interruptions >= maxInterruptions) return { status: 'failed', code: 'antivirus-interrupted', message };
        } else {
          this.#fault = message;
          this.#state = undefined;
          context.progress(`waiting for ${engine.program}: ${message}`, 0);
        }
        const awake = AbortSignal.any([context.signal, this.#wake.signal]);
        await sleep(this.#retryDelay, undefined, { signal: awake }).catch(() => undefined);
      }
    }
  };

  /** Whether the antivirus works, so that the fault is the file's. */
  async #isAnswering(engine: Clamav, error: unknown): Promise<boolean> {
    if (error instanceof ClamavUnavailable) return false;
    return engine.version().then(
      () => true,
      () => false,
    );
  }

  async #scan(apk: ApkRecord, engine: Clamav, { signal, progress }: JobContext): Promise<JobOutcome> {
    progress(`scanning with ${engine.program}`, 0);
    const version = await engine.version();
    const verdict = await engine.scan(this.#store.files.stream(apk.sha256), signal);
    this.#fault = null;
    const finding = findingOf(verdict, version, engine.program);
    // Nothing found in a part of the file takes nothing back that was found in the whole.
    if (finding !== null || verdict.isComplete) await this.#detections.recordAntivirus(apk, antivirusName, finding);
    return { status: verdict.isComplete ? 'done' : 'partial' };
  }
}
