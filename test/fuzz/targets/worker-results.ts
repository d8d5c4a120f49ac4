// Fuzz target: results of every kind of task with lies in them, as a worker sends them that an app has taken over.
import { deserialize, serialize } from 'node:v8';
import { LineFault } from '../../../server/contract/process-line/frames.ts';
import { parseMessage } from '../../../server/contract/process-line/messages.ts';
import { sentReports } from '../../../server/contract/process-line/results.ts';
import { type EngineTask, engineTaskSchema } from '../../../server/contract/process-line/tasks.ts';
import { runTask } from '../../../server/engine/tasks.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { pickOf, type Random, randomNumbers } from '../random.ts';
import { type FuzzTarget, hold } from '../target.ts';

const file = { kind: 'plain', path: realApks.unlock };
const rules = 'rule every { strings: $a = "classes" condition: $a }';
const question = (words: object) => ({ kind: 'explore', file, question: words });
const reports = { androguard: null, cuckoo: null, droidbox: null };

const tasks: EngineTask[] = [
  { kind: 'identify', file },
  { kind: 'static', file, fileName: 'a.apk' },
  { kind: 'dynamic', file },
  { kind: 'yara', file, rulesets: [{ id: '1', rules }], reports },
  { kind: 'compile', rules },
  ...[
    { ask: 'content', index: 0 },
    { ask: 'xml', path: 'AndroidManifest.xml' },
    { ask: 'code-outline' },
    { ask: 'class', name: 'Lio/appium/unlock/Unlock;' },
    { ask: 'code-search', q: 'a' },
    { ask: 'class', name: 'Lnone;' },
  ].map(question),
].map((task) => engineTaskSchema.parse(task));

const results: unknown[] = [];
for (const task of tasks) {
  const reply = await runTask(task, () => undefined);
  if (reply.status === 'failed') throw new Error(`${task.kind}: ${reply.message}`);
  results.push(reply.result);
}

/** Stands in every lie, so that one can tell where a worker's own words get to. */
const mark = 'said by the worker';
const lies: readonly unknown[] = [
  ...[null, undefined, true, -1, 0.5, 2 ** 53, Number.NaN, '', mark, mark.repeat(2000), '__proto__', '\0\u2028\ud800'],
  ...[[], {}, Buffer.from(mark), new Uint8Array(0), new Date(0), 1n, new Map([[mark, 1]]), Array(1000).fill(mark)],
];

/** Puts a lie somewhere into a value, or a name of its own beside the others. */
function lieIn(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || random(6) === 0) {
    // A copy, since a further lie may be put into this one.
    return structuredClone(pickOf(lies, random));
  }
  if (Array.isArray(value)) {
    const at = random(value.length + 1);
    value[at] = at < value.length ? lieIn(value[at], random) : structuredClone(pickOf([value[0], ...lies], random));
    return value;
  }
  const names = Object.keys(value);
  const name =
    random(4) === 0 || names.length === 0
      ? pickOf([mark, 'constructor', '__proto__', 'id'], random)
      : pickOf(names, random);
  const changed = lieIn(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, random);
  Object.defineProperty(value, name, { value: changed, enumerable: true, configurable: true, writable: true });
  return value;
}

export const target: FuzzTarget = {
  subject: ['contract/process-line/results', 'contract/process-line/messages', 'contract/process-line/bounds'],
  // A seed, of which the task and its lies follow.
  samples: () => Array.from({ length: 16 }, (_, index) => Buffer.from([index, 1, 2, 3])),
  generate: (random) => Buffer.from(Array.from({ length: 8 }, () => random(256))),
  refusals: [],
  run(bytes) {
    const random = randomNumbers(Buffer.from(bytes).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7));
    const at = random(tasks.length);
    const task = tasks[at]!;
    let result = deserialize(serialize(results[at]));
    for (let left = 1 + random(3); left > 0; left--) result = lieIn(result, random);
    try {
      const message = parseMessage(task, { id: 1, type: 'reply', reply: { status: 'done', result } });
      if (message.type === 'reply' && message.reply.status !== 'failed')
        sentReports(task.kind, message.reply.result as never);
      return 'taken';
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      hold(
        !error.message.includes(mark),
        'what is wrong is told in words that hold none of the worker',
        error.message.slice(0, 300),
      );
      hold(error.message.length < 1000, 'what is wrong is told in short', `${error.message.length}`);
      return error.message;
    } finally {
      hold(Object.keys(Object.prototype).length === 0, 'no prototype is reached');
    }
  },
};
