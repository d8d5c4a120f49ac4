// Checks reports of workers before they are stored: malformed JSON would break every response that contains it. Knows
// no kind of report.
import type { SentReport } from '../contract/process-line/results.ts';
import { unpackBytesSync } from '../vault/packed-bytes.ts';
import { AnsweringThread } from './sqlite/answering-thread.ts';

const program = new URL(`./sent-report-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Deeper than any report of ours; those who read them must not run out of stack. */
const maxDepth = 64;
/** Bytes that are checked in some milliseconds. */
const maxBesideAnswers = 200_000;
/** Bytes from which on it pays to start a thread where nothing else waits. */
const maxAlone = 8_000_000;
/** Mebibytes: some times the largest report, as text and as values. */
const threadHeap = 2048;
/** Milliseconds of idleness after which the thread ends, to free memory. */
const patience = 10_000;

export interface SentReportQuestion extends SentReport {
  id: number;
}

/** Why a report cannot be stored; null: it can. Blocks its thread, by some 20 ms for a megabyte. */
export function sentReportFault({ report, holds }: SentReport): string | null {
  let bytes: Buffer;
  try {
    bytes = unpackBytesSync(report);
  } catch {
    return `a report that is not the ${report.size} bytes that it says`;
  }
  if (holds === 'files') return null;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'a report that is no JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a report that is no object';
  return isDeep(bytes) ? 'a report nested more deeply than may be' : null;
}

const [quote, backslash, openList, openObject, closeList, closeObject] = Buffer.from('"\\[{]}');

/** Depth of nesting, from the JSON text: walking the parsed values would take several times as long. */
function isDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openList || byte === openObject) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  return false;
}

/** Checks large reports in a thread, one after the other. */
export class SentReports {
  readonly #maxAtOnce: number;
  readonly #thread = new AnsweringThread(program, null, {
    resourceLimits: { maxOldGenerationSizeMb: threadHeap },
  });
  #underWay: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** @param isAlone nobody is answered by this thread meanwhile */
  constructor(isAlone: boolean) {
    this.#maxAtOnce = isAlone ? maxAlone : maxBesideAnswers;
  }

  /** @returns what is wrong with the first one that cannot be stored, null where there is none */
  async faultOf(reports: readonly SentReport[]): Promise<string | null> {
    for (const sent of reports) {
      const fault = sent.report.size <= this.#maxAtOnce ? sentReportFault(sent) : await this.#inTurn(sent);
      if (fault !== null) return fault;
    }
    return null;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread.close();
  }

  #inTurn(sent: SentReport): Promise<string | null> {
    clearTimeout(this.#idle);
    const asked = this.#underWay.then(() => this.#thread.ask<string | null>(sent));
    // A report may exhaust the memory of the thread, which is started again for the next.
    const answered = asked.catch(() => 'a report that is too much to look into');
    this.#underWay = answered;
    void answered.then(() => {
      if (this.#underWay !== answered) return;
      this.#idle = setTimeout(() => void this.#thread.close(), patience).unref();
    });
    return answered;
  }
}
