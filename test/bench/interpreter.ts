// The table of the interpreter's speed. Knows no printing.
import { join } from 'node:path';
import { programs } from './interpreter-once.ts';
import { median, selfMeasured } from './measured-process.ts';

const script = join(import.meta.dirname, './interpreter-once.ts');
const tells: Readonly<Record<string, string>> = {
  ints: 'int arithmetic in a loop',
  longs: 'a 64-bit random number generator',
  doubles: 'double arithmetic in a loop',
  sieve: 'a sieve over a boolean array',
  objects: 'objects, fields, constructors, virtual calls',
  fib: 'recursion',
  strings: 'decrypting strings char by char, on models',
};

/** Million Dalvik instructions per CPU second: each program in a process of its own, and all in one process. */
export function interpreterTable(): { head: string[]; rows: string[][] } {
  const runs = (name: string) =>
    Array.from({ length: 3 }, () => selfMeasured<Record<string, number>>(process.execPath, script, name));
  const together = runs('all');
  const million = (values: number[]) => (median(values) / 1e6).toFixed(0);
  return {
    head: ['program', 'alone, M instructions / CPU s', 'after all others, M instructions / CPU s'],
    rows: Object.keys(programs).map((name) => [
      tells[name] ?? name,
      million(runs(name).map((run) => run[name]!)),
      million(together.map((run) => run[name]!)),
    ]),
  };
}
