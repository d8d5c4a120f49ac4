// Asks for a passphrase: on the terminal, unseen, or from a file or standard input. Never from the command line's words,
// which everybody on the machine can read.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { passphraseLength } from '../contract/workstation/storage.ts';
import { callersFolder } from './data-folder.ts';
import { readStandardInput, standardInput } from './standard-input.ts';

const maxBytes = 1024;

const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * The first line of a file; `-`: of standard input.
 * @throws Error where there is none
 */
export async function passphraseFrom(file: string): Promise<string> {
  const bytes = file === standardInput ? await readStandardInput() : readFileSync(resolve(callersFolder(), file));
  const [line = ''] = bytes
    .subarray(0, 4 * maxBytes)
    .toString()
    .split(/\r?\n/);
  if (line === '' || Buffer.byteLength(line) > maxBytes) {
    throw new Error(`The first line of ${file} is to be the passphrase, of ${maxBytes} bytes at most.`);
  }
  return line;
}

/** @throws Error where there is no terminal to ask on */
export async function askPassphrase(question: string): Promise<string> {
  if (!isTerminal()) throw new Error('There is no terminal to ask for the passphrase: name a --passphrase-file.');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write(question);
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** A passphrase for something new: long enough, and on the terminal typed twice. */
export async function newPassphrase(file: string | undefined): Promise<string> {
  const passphrase = file === undefined ? await askPassphrase('Passphrase: ') : await passphraseFrom(file);
  if ([...passphrase].length < passphraseLength) {
    throw new Error(`A passphrase has at least ${passphraseLength} characters.`);
  }
  if (file === undefined && (await askPassphrase('Once more: ')) !== passphrase) {
    throw new Error('The two passphrases differ.');
  }
  return passphrase;
}
