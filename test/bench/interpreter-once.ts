// One program of the interpreter's benchmark in a fresh process: warms up, then prints Dalvik instructions per CPU second as JSON.
// `node interpreter-once.ts ints 2000000`, or `all` for one program after the other in the same process.
import { committedDex, testMachine } from '../fixtures/dynamic/machine/test-machine.ts';

/** Programs of test/fixtures/dynamic/machine/bench.smali with the argument of one call. */
export const programs: Readonly<Record<string, number>> = {
  ints: 1_000_000,
  longs: 300_000,
  doubles: 600_000,
  sieve: 500_000,
  objects: 200_000,
  fib: 25,
  strings: 10_000,
};

if (import.meta.main) {
  const { machine } = testMachine([committedDex('bench')], { limits: { instructions: 1e12, cpuMilliseconds: 1e9 } });
  const wanted = process.argv[2] === 'all' ? Object.keys(programs) : [process.argv[2] ?? 'ints'];
  const speeds: Record<string, number> = {};
  const call = (name: string) =>
    machine.run(() => {
      machine.callStatic('Lp/Bench;', `${name}(I)I`, programs[name]!);
    });
  for (const name of wanted) for (let round = 0; round < 4; round++) call(name);
  for (const name of wanted) {
    const instructions = machine.instructions;
    const before = process.cpuUsage();
    for (let round = 0; round < 6; round++) call(name);
    const { user, system } = process.cpuUsage(before);
    speeds[name] = ((machine.instructions - instructions) / (user + system)) * 1e6;
  }
  process.stdout.write(JSON.stringify(speeds));
}
