// One line on a terminal that shows how far a long command is. Silent where standard error is no terminal.
const width = 24;
const minInterval = 100;

export class ProgressLine {
  readonly #total: number;
  readonly #started = performance.now();
  #shown = 0;

  /** @param total of whatever is counted as done, usually bytes */
  constructor(total: number) {
    this.#total = total;
  }

  show(done: number, text: string): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shown < minInterval) return;
    this.#shown = now;
    const share = this.#total === 0 ? 1 : Math.min(1, done / this.#total);
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
    const seconds = ((now - this.#started) / 1000) * (1 / Math.max(share, 0.001) - 1);
    const left =
      share > 0.02 ? `, ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`} left` : '';
    process.stderr.write(`\r\u001b[2K${bar} ${Math.floor(share * 100)} %  ${text}${left}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  }
}
