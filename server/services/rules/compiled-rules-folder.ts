// The folder where compiled rules lie, for workers to read: has missing ones made, and writes them. Knows nothing of YARA.
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RulesetText, rulesetTextsFolder } from '../../contract/engine/yara.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { whereRoom } from '../../store/store-errors.ts';
import { writeDurableFile } from '../../vault/durable-file.ts';
import { memoryFor, type ScanText } from './ruleset-isolation.ts';

/** Of an installation. What lies there can be made again at any time. */
export const compiledRulesPath = (dataDir: string): string => join(dataDir, 'cache', 'compiled-rules');

/** Names come from workers, which read hostile files. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/;

export class CompiledRulesFolder {
  readonly path: string;
  readonly #pool: WorkerPool;
  readonly #log: ErrorLog;
  readonly #mostFiles: number | null;
  /** By text, the name under which it lies in the folder. */
  #keys: ReadonlyMap<string, string> = new Map();
  /** Stands for the texts that were compiled last, whatever came of it. */
  #known = '';
  #underWay: Promise<void> = Promise.resolve();

  /** @param mostFiles of a folder that several collections of rules share: what one of them does not use stays until then */
  constructor(path: string, pool: WorkerPool, log: ErrorLog, mostFiles: number | null = null) {
    this.path = path;
    this.#mostFiles = mostFiles;
    this.#pool = pool;
    this.#log = log;
    whereRoom(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
  }

  /**
   * Has those texts compiled that have no compiled form yet, and forgets the others. Where that fails every scan compiles
   * for itself, and finds out what is wrong.
   */
  async prepare(texts: readonly ScanText[]): Promise<void> {
    const label = texts.map(({ id }) => id).join(' ');
    this.#underWay = this.#underWay.then(async () => {
      if (label === this.#known) return;
      this.#known = label;
      await this.#compile(texts).catch((error: unknown) =>
        this.#log.error({ error }, 'compiled rules could not be kept for later'),
      );
    });
    return this.#underWay;
  }

  /**
   * Runs a task for which texts that lie in the folder need not be sent, and once more with all of them where a worker finds
   * one missing.
   */
  async run<Reply extends { status: string; code?: string }>(
    texts: readonly ScanText[],
    run: (part: { rulesets: RulesetText[]; cacheFolder: string }) => Promise<Reply>,
  ): Promise<Reply> {
    const keyed = texts.map((text) => {
      const key = this.#keys.get(text.rules);
      return key === undefined ? text : { ...text, key };
    });
    const reply = await run({ rulesets: keyed, cacheFolder: this.path });
    if (reply.code !== 'unreadable-file' || !keyed.some((text) => 'key' in text)) return reply;
    // The next time all are written anew.
    this.#keys = new Map();
    this.#known = '';
    await rm(join(this.path, rulesetTextsFolder), { recursive: true, force: true });
    return run({ rulesets: [...texts], cacheFolder: this.path });
  }

  /** A folder below this one, for rules that are run for a while. */
  below(name: string): CompiledRulesFolder {
    return new CompiledRulesFolder(join(this.path, name), this.#pool, this.#log);
  }

  /** Removes the folder with all that is compiled in it. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  async #compile(texts: readonly ScanText[]): Promise<void> {
    await this.#keepTexts(texts);
    const { takes } = memoryFor(texts);
    const reply = await this.run(texts, (kept) => this.#pool.run({ kind: 'prepare', ...kept }, { takes }));
    if (reply.status === 'failed') {
      this.#log.error({ code: reply.code, reason: reply.message }, 'compiled rules could not be kept for later');
      return;
    }
    const { files, obsolete } = reply.result;
    for (const { name, bytes } of files) {
      if (safeName.test(name)) writeDurableFile(join(this.path, name), bytes);
    }
    for (const name of this.#mostFiles === null ? obsolete : this.#oldest(this.#mostFiles)) {
      if (!safeName.test(name)) continue;
      try {
        unlinkSync(join(this.path, name));
      } catch (error) {
        // On Windows a file that a worker reads stays until the next time.
        this.#log.error({ error, name }, 'compiled rules of before could not be removed');
      }
    }
  }

  /** Writes those that are not there, each under its SHA-256, by which workers know a damaged one; removes the others. */
  async #keepTexts(texts: readonly ScanText[]): Promise<void> {
    const folder = join(this.path, rulesetTextsFolder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const keys = new Map(texts.map(({ rules }) => [rules, this.#keys.get(rules) ?? hash('sha256', rules, 'hex')]));
    const wanted = new Set(keys.values());
    const there = new Set(await readdir(folder));
    for (const [rules, key] of keys) if (!there.has(key)) await writeFile(join(folder, key), rules, { mode: 0o600 });
    for (const name of there) if (!wanted.has(name)) await rm(join(folder, name), { force: true });
    this.#keys = keys;
  }

  /** Those beyond so many that were written last. */
  #oldest(count: number): string[] {
    const age = (name: string) => statSync(join(this.path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const files = readdirSync(this.path).map((name) => ({ name, written: age(name) }));
    return files
      .sort((a, b) => b.written - a.written)
      .slice(count)
      .map(({ name }) => name);
  }
}
