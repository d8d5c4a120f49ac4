// Work that the shell hands to the command line: imports, exports, backups. Knows no menu.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asNode, commandLine } from './server-process.ts';

const running = new Set<ChildProcess>();

/** Stops running commands: an import resumes where it is started again, and a backup removes what it wrote. */
export function endCommands(): void {
  for (const child of running) child.kill();
}

function start(words: readonly string[]): { child: ChildProcessByStdio<null, Readable, Readable>; errors(): string } {
  const child = spawn(process.execPath, [commandLine, ...words], { env: asNode, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.on('close', () => running.delete(child));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2_000);
  });
  return { child, errors: () => errors.trim().replace(/^apk-workstation: /, '') };
}

/**
 * Runs one command of the command line against the installation that the server holds.
 * @returns what it wrote on standard output
 * @throws Error with what it wrote on standard error
 */
export function runCommand(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { child, errors } = start(words);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    // Not `exit`: the last output may still be in the pipes then.
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(errors() || `the command ended with ${code}`));
    });
  });
}

/** Runs one command and keeps what it writes on standard output in a file, which is gone again where it fails. */
export async function runCommandInto(file: string, words: readonly string[]): Promise<void> {
  const { child, errors } = start(words);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  try {
    const [code] = await Promise.all([exited, pipeline(child.stdout, createWriteStream(file))]);
    if (code !== 0) throw new Error(errors() || `the command ended with ${code}`);
  } catch (error) {
    child.kill();
    await rm(file, { force: true });
    throw error;
  }
}
