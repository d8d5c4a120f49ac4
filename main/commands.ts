// Work that the shell hands to the command line: imports, exports, backups. Knows no menu.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { asNode, commandLine } from './server-process.ts';

/**
 * Runs one command of the command line against the installation that the server holds.
 * @returns what it wrote on standard output
 * @throws Error with what it wrote on standard error
 */
export function runCommand(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [commandLine, ...words], { env: asNode, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-2_000);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(errors.trim().replace(/^apk-workstation: /, '') || `the command ended with ${code}`));
    });
  });
}

/** Runs one command and keeps what it writes on standard output in a file, which is gone again where it fails. */
export async function runCommandInto(file: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [commandLine, ...words], { env: asNode, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2_000);
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  try {
    const [code] = await Promise.all([exited, pipeline(child.stdout, createWriteStream(file))]);
    if (code !== 0) throw new Error(errors.trim().replace(/^apk-workstation: /, ''));
  } catch (error) {
    child.kill();
    await rm(file, { force: true });
    throw error;
  }
}
