// Fuzz target: what a worker says that an app has taken over.
import { PassThrough } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { encodeFrame, FrameReader, LineFault } from '../../../server/contract/process-line/frames.ts';
import { replyLimits } from '../../../server/contract/process-line/limits.ts';
import { WorkerLine } from '../../../server/jobs/worker-line.ts';
import { pickOf, type Random } from '../random.ts';
import { type FuzzTarget, hold } from '../target.ts';

const limits = replyLimits.static;
const frame = (message: unknown): Buffer => Buffer.concat(encodeFrame(message, limits));
const reply = (result: unknown) => ({ id: 1, type: 'reply', reply: { status: 'done', result } });
const progress = { id: 1, type: 'progress', stage: 'code', done: 0.5 };
const values = [
  null,
  true,
  -1,
  1e308,
  '',
  '__proto__',
  'x'.repeat(2000),
  Buffer.from('bytes'),
  [],
  {},
  new Uint8Array(0),
];

function valueFrom(random: Random, depth = 0): unknown {
  if (depth > 6 || random(3) === 0) return pickOf(values, random);
  const list = Array.from({ length: random(4) }, () => valueFrom(random, depth + 1));
  if (random(2) === 0) return list;
  return Object.fromEntries(
    list.map((value, index) => [pickOf(['id', 'constructor', `k${index}`, 'result'], random), value]),
  );
}

/** What a reader makes of the bytes, cut into pieces of a length. */
function messagesIn(bytes: Uint8Array, length: number): { messages: unknown[]; fault: string | null } {
  const reader = new FrameReader();
  const messages: unknown[] = [];
  try {
    for (let at = 0; at < bytes.length; at += length)
      for (const { message } of reader.read(bytes.subarray(at, at + length), () => limits)) messages.push(message);
    return { messages, fault: null };
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    return { messages, fault: error.message };
  }
}

export const target: FuzzTarget = {
  subject: ['contract/process-line/', 'jobs/worker-line'],
  samples: () => [
    Buffer.concat([
      frame(progress),
      frame(reply({ reports: { a: Buffer.from('abc') }, list: [Buffer.from('d'), null] })),
    ]),
    frame({ id: 1, type: 'reply', reply: { status: 'failed', code: 'not-an-apk', message: 'no' } }),
    frame([Buffer.from('x'), { a: Buffer.alloc(0) }]),
  ],
  hotspots: () => [0, 8],
  fields: () => [0, 4].map((offset) => ({ offset, width: 4 })),
  words: [
    '"at":',
    '"length":',
    '"attachments":',
    '"message":',
    '"__proto__":',
    '"constructor"',
    '[]',
    '{}',
    'null',
    '-1',
    '1e999',
  ],
  generate(random) {
    const kinds = [
      reply(valueFrom(random)),
      { ...progress, [pickOf(Object.keys(progress), random)]: valueFrom(random) },
      valueFrom(random),
    ];
    return frame(pickOf(kinds, random));
  },
  refusals: [],
  run(bytes) {
    const whole = messagesIn(bytes, Math.max(1, bytes.length));
    hold(isDeepStrictEqual(whole, messagesIn(bytes, 3)), 'a message is the same however it is cut');
    hold(
      Reflect.get({}, 'message') === undefined && Object.keys(Object.prototype).length === 0,
      'no prototype is reached',
    );
    for (const message of whole.messages) {
      // What is no number of JSON has become null, as it does there.
      const [again] = messagesIn(frame(message), 1000).messages;
      hold(isDeepStrictEqual(messagesIn(frame(again), 7).messages, [again]), 'what is read can be said again');
    }
    const said: unknown[] = [];
    const input = new PassThrough();
    const line = new WorkerLine({
      output: new PassThrough(),
      input,
      reportFault: () => Promise.resolve(null),
      onProgress: (stage, done) => said.push([stage, done]),
      onReply: (answer) => said.push(answer),
      onFault: (reason) => said.push(reason),
    });
    line.send({ kind: 'static', file: { kind: 'plain', path: '/x' }, fileName: 'x' });
    // As the stream does it, without waiting for its turn.
    input.emit('data', bytes);
    return [whole, said];
  },
};
