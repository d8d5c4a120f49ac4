// Not a target: a reader with one fault of each kind, to see that they are found.
import { localNameOf } from '../../server/engine/dynamic/java/xml/xml-events.ts';
import { type FuzzTarget, texts } from './target.ts';

let readings = 0;

/** Takes so many milliseconds of the processor. */
function spin(milliseconds: number): void {
  const start = process.cpuUsage();
  for (let used = 0; used < milliseconds; ) {
    const { user, system } = process.cpuUsage(start);
    used = (user + system) / 1000;
  }
}

const faults: Record<string, () => unknown> = {
  e: () => (undefined as unknown as string).length,
  u: () => readings++,
  s: () => spin(400),
  h: () => spin(Number.POSITIVE_INFINITY),
};

export const target: FuzzTarget = {
  subject: ['engine/dynamic/java/xml/'],
  isText: true,
  // Samples are read twice.
  samples: texts('u', 'e', 's'),
  generate: () => Buffer.from('h'),
  maxCpuTime: () => 200,
  run(input) {
    const text = Buffer.from(input).toString();
    return faults[text]?.() ?? localNameOf(text);
  },
};
