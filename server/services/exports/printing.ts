// Makes PDF files of pages for people, and knows the logo that they bear. What prints is an engine behind a seam: the desktop's own
// where the workstation has a window, else a Chromium of this machine.
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { readSetting } from '../settings.ts';

/** Turns a page that stands by itself into a PDF file. It loads nothing and runs nothing of it. */
export interface PrintEngine {
  /** @throws Error with the reason */
  print(page: string, signal: AbortSignal): Promise<Buffer>;
}

/** Milliseconds that a page may take. */
const patience = 60_000;
const maxPdfBytes = 100_000_000;
/** An engine takes some hundred megabytes: one page is printed after the other, and these wait at most. */
const maxWaiting = 20;

export class Printing {
  readonly #store: Store;
  readonly #chromium: () => PrintEngine | null;
  #desktop: PrintEngine | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param chromium of this machine, looked for at each page, as it may be installed meanwhile */
  constructor(store: Store, chromium: () => PrintEngine | null) {
    this.#store = store;
    this.#chromium = chromium;
  }

  /** Prints by the desktop's engine from now on. */
  printByDesktop(engine: PrintEngine): void {
    this.#desktop = engine;
  }

  /** The owner's, as a data URL; empty where there is none. */
  logo(): Promise<string> {
    return readSetting(this.#store, 'report_logo');
  }

  /**
   * The page as a PDF file.
   * @throws Failure `no-print-engine`, `not-printed`, `too-many-at-once`
   */
  async pdfOf(page: string): Promise<Buffer> {
    const engine = this.#desktop ?? this.#chromium();
    if (engine === null) throw new Failure('no-print-engine');
    if (this.#waiting === maxWaiting) throw new Failure('too-many-at-once', { seconds: '60' });
    this.#waiting += 1;
    const printed = this.#last.then(() => engine.print(page, AbortSignal.timeout(patience)));
    this.#last = printed.catch(() => undefined);
    try {
      const pdf = await printed;
      if (pdf.length > maxPdfBytes || pdf.subarray(0, 5).toString('latin1') !== '%PDF-') throw new Error('no PDF came');
      return pdf;
    } catch (error) {
      throw new Failure('not-printed', { reason: (error as Error).message });
    } finally {
      this.#waiting -= 1;
    }
  }
}
