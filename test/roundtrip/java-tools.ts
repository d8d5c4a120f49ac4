// javac, smali and java in one process of their own: see JavaTools.java. Knows no programs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { systemTool } from '../fixtures/system-tools.ts';

/** Why there are no tools here, for a test's `skip`; false where there are. */
export const missingTools = (): string | false =>
  (['javac', 'keytool', 'smali'] as const).map((tool) => systemTool(tool).skip).find((skip) => skip !== false) ?? false;

/** Where Debian's package of smali keeps it. */
const smaliClasses = ['smali', 'smali-util', 'dexlib2', 'antlr3-runtime', 'guava', 'jcommander']
  .map((name) => `/usr/share/java/${name}.jar`)
  .join(':');

export interface JavacError {
  readonly path: string;
  readonly line: number;
  /** javac's own code for it: `cant.resolve.location`. */
  readonly kind: string;
  readonly message: string;
}

export class JavaTools {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #lines: Interface;
  /** The release that sources are compiled for. */
  readonly release: number;

  private constructor(release: number) {
    const keytool = systemTool('keytool').path!;
    const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xss8m', '-Xshare:auto', '-Duser.language=en'];
    this.#process = spawn(
      keytool.replace(/keytool$/, 'java'),
      [...options, '-cp', smaliClasses, join(import.meta.dirname, 'JavaTools.java')],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LC_ALL: 'C.UTF-8' } },
    );
    this.#lines = createInterface({ input: this.#process.stdout! });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.release = release;
  }

  static start(): JavaTools {
    return new JavaTools(17);
  }

  async #ask(...words: string[]): Promise<string> {
    this.#process.stdin!.write(`${words.join('\t')}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the process of the Java tools ended');
    return Buffer.from(value as string, 'base64').toString();
  }

  /** What javac objects to; nothing where it accepts all. @param release of the language, 8 or later */
  async compile(
    sources: readonly string[],
    into: string,
    release: number,
    ...options: string[]
  ): Promise<JavacError[]> {
    const preview = release === this.release ? ['--enable-preview'] : [];
    const words = [
      ...['--release', String(release), ...preview, '-nowarn', '-Xlint:none', '-g', '-encoding', 'UTF-8', '-proc:none'],
      ...['-XDshould-stop.ifError=FLOW', '-Xmaxerrs', '10000', '-implicit:none', '-d', into, ...options],
    ];
    const said = await this.#ask('compile', ...words, '--', ...sources);
    return said
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, path, number, kind, message] = line.match(/^(.*?):(-?\d+): (\S+): (.*)$/s) ?? [
          '',
          '?',
          '0',
          'broken',
          line,
        ];
        return { path: path!, line: Number(number), kind: kind!.replace(/^compiler\.err\./, ''), message: message! };
      });
  }

  /** A dex file of a folder of smali files. @throws Error with what smali says */
  async assemble(folder: string, dex: string): Promise<void> {
    const said = await this.#ask('assemble', folder, dex);
    if (said !== '') throw new Error(`smali: ${said}`);
  }

  /** What a main class prints with java. */
  async run(classes: string, main: string): Promise<string> {
    return await this.#ask('run', classes, main);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.stdin!.end();
    await ended;
    this.#lines.close();
  }
}
