// Analyses one APK again and again, in turns without and with the fingerprints of its files, and prints the processor time of
// each pair but the first: [[without, with], …] in milliseconds.
import { packedStatic } from '../../server/engine/static-task.ts';

const path = process.argv[2]!;
const turns = 9;

function cost(prints: boolean): number {
  const start = process.cpuUsage();
  packedStatic({ kind: 'static', file: { kind: 'plain', path }, fileName: 'a.apk', prints }, () => undefined);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const pairs = Array.from({ length: turns + 1 }, () => [cost(false), cost(true)]);
process.stdout.write(JSON.stringify(pairs.slice(1)));
