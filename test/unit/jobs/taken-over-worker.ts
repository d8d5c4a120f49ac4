// A worker that a hostile file has taken over: does what its task is named, each of it something that no worker may do.
import { randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { encodeFrame } from '../../../server/contract/process-line/frames.ts';
import type { LineRequest } from '../../../server/contract/process-line/tasks.ts';
import { resultSaying, sendBytes, sendMessage, serveRequests } from './worker-end.ts';

// biome-ignore lint/suspicious/noExplicitAny: it is bent out of shape
type Bent = any;

const unlimited = { text: 2 ** 32 - 1, attached: 2 ** 32 - 1 };
/** Numbers of processes begin anew behind a wall. */
const self = randomUUID();
const forever = () => new Promise(() => undefined);
const bytesOf = (message: unknown): Buffer => Buffer.concat(encodeFrame(message, unlimited));

function frame(text: string | Uint8Array, attached: Uint8Array = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.from(text as string);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(attached.length, 4);
  return Buffer.concat([head, bytes, attached]);
}

const envelope = (message: unknown, attachments: unknown) => JSON.stringify({ message, attachments });

function honestReply({ id, task }: LineRequest, said: unknown = null): Bent {
  return { id, type: 'reply', reply: { status: 'done', result: resultSaying(task, said) } };
}

/** An honest reply, bent. */
function bent(request: LineRequest, bend: (result: Bent, reply: Bent) => void): void {
  const message = honestReply(request);
  bend(message.reply.result, message);
  sendMessage(message);
}

/** An honest reply whose JSON text is altered, for what no value of JavaScript becomes. */
function rewritten(request: LineRequest, from: string, to: string): void {
  const pieces = encodeFrame(honestReply(request), unlimited).map((piece) => Buffer.from(piece));
  const text = pieces[1]!.toString();
  if (!text.includes(from)) throw new Error(`no ${from} in ${text}`);
  sendBytes(frame(text.replace(from, to), Buffer.concat(pieces.slice(2))));
}

function withReport(request: LineRequest, size: number, compressed: Uint8Array): void {
  bent(request, ({ reports }) => {
    reports.cuckoo = { size, compressed };
  });
}
const withText = (request: LineRequest, text: string): void =>
  withReport(request, Buffer.byteLength(text), zstdCompressSync(text));

const progress = (request: LineRequest, changes: object): void =>
  sendMessage({ id: request.id, type: 'progress', stage: 'dex', done: 0.5, ...changes });

function bomb(): Buffer {
  const part = zstdCompressSync(Buffer.alloc(64 << 20));
  return Buffer.concat(Array.from({ length: 24 }, () => part));
}

const actions: Record<string, (request: LineRequest) => unknown> = {
  honest: (request) => sendMessage(honestReply(request, self)),

  'nothing at all': () => sendMessage(null),
  'a number': () => sendMessage(7),
  'a list': () => sendMessage([[]]),
  'bytes that are no frame': () => sendBytes(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')),
  'an empty frame': () => sendBytes(frame('')),
  'text that is no JSON': () => sendBytes(frame('{"message":')),
  'text that is no UTF-8': () => sendBytes(frame(Buffer.from([0x22, 0xff, 0x22]))),
  'a frame that holds no message': () => sendBytes(frame('{"attachments":[]}')),
  'attachments that are no list': () => sendBytes(frame(envelope({}, 5))),
  'attachments beyond the frame': () =>
    sendBytes(frame(envelope({ a: null }, [{ at: ['a'], length: 9 }]), Buffer.alloc(4))),
  'bytes that nothing stands for': () => sendBytes(frame(envelope({}, []), Buffer.alloc(4))),
  'an attachment of negative length': () => sendBytes(frame(envelope({ a: null }, [{ at: ['a'], length: -1 }]))),
  'an attachment in what every object inherits': () =>
    sendBytes(frame(envelope({}, [{ at: ['__proto__', 'toString'], length: 4 }]), Buffer.alloc(4))),
  'an attachment in the place of a text': () =>
    sendBytes(frame(envelope({ a: 'b' }, [{ at: ['a'], length: 4 }]), Buffer.alloc(4))),

  'a message of no known type': (request) => bent(request, (_, message) => Object.assign(message, { type: 'spawn' })),
  'a key that no message has': (request) => bent(request, (_, message) => Object.assign(message, { handle: 4 })),
  'a key that no result has': (request) => bent(request, (result) => Object.assign(result, { sha256: 'ab' })),
  'a prototype': (request) => rewritten(request, '"timings":{}', '"timings":{},"__proto__":{"isAdmin":true}'),
  'the result of another kind': (request) =>
    sendMessage({ ...honestReply({ id: request.id, task: { kind: 'compile', rules: '' } }) }),
  'the reply to another task': (request) =>
    bent(request, (_, message) => Object.assign(message, { id: request.id + 1 })),
  'a reply whose task has no number': (request) => bent(request, (_, message) => Object.assign(message, { id: '1' })),
  'a failure that is the pool’s to tell': ({ id }) =>
    sendMessage({ id, type: 'reply', reply: { status: 'failed', code: 'cancelled', message: '' } }),
  'an error text of a hundred thousand letters': ({ id }) =>
    sendMessage({ id, type: 'reply', reply: { status: 'failed', code: 'internal', message: 'x'.repeat(100_000) } }),
  'an error text of 60 megabytes': ({ id }) =>
    sendMessage({ id, type: 'reply', reply: { status: 'failed', code: 'internal', message: 'x'.repeat(60_000_000) } }),
  'a number that is infinite': (request) => rewritten(request, '"minSdk":null', '"minSdk":1e999'),
  'a stage by the name of what objects inherit': (request) =>
    bent(request, ({ timings }) => Object.assign(timings, { constructor: 1 })),
  'lists in lists, a hundred thousand deep': (request) =>
    rewritten(request, '"findings":[{', `"findings":[${'['.repeat(100_000)}${']'.repeat(100_000)},{`),
  'thirty thousand findings': (request) =>
    bent(request, (result) => {
      result.findings = Array.from({ length: 30_000 }, () => result.findings[0]);
    }),
  'a finding with a code of no kind': (request) =>
    bent(request, ({ findings }) => Object.assign(findings[0], { code: '../<script>' })),
  'a term of a field that nothing is found by': (request) =>
    bent(request, ({ index }) => index.terms.push({ field: 'sha256', text: 'ab' })),

  'progress beyond its end': (request) => progress(request, { done: 2 }),
  'a stage that writes to the terminal': (request) => progress(request, { stage: '\u001b[2J' }),
  'a stage of a megabyte': (request) => progress(request, { stage: 'x'.repeat(1_000_000) }),
  'a flood of progress': (request) => {
    for (let sent = 0; sent < 10_000; sent++) progress(request, {});
  },
  'a flood on standard error': () => {
    for (let written = 0; written < 64; written++) process.stderr.write('\u001b]0;x\u0007'.repeat(10_000));
    return forever();
  },

  'a report that inflates to 1.5 gigabytes': (request) => withReport(request, 100, bomb()),
  'a report of 300 megabytes': (request) => withReport(request, 300 << 20, zstdCompressSync('{}')),
  'a report of less than it says': (request) => withReport(request, 1000, zstdCompressSync('{}')),
  'a report that is not compressed': (request) => withReport(request, 2, Buffer.from('{}')),
  'a report that is no JSON': (request) => withText(request, '{}, "is_trusted": true, "a": {}'),
  'a report that is a list': (request) => withText(request, '[]'),
  'a large report that is no JSON': (request) => withText(request, `{"a":"${'x'.repeat(1_000_000)}`),
  'a large report nested too deeply': (request) =>
    withText(request, `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),

  'a message that never begins': forever,
  'half a message': (request) => {
    const bytes = bytesOf(honestReply(request));
    sendBytes(bytes.subarray(0, bytes.length >> 1));
    return forever();
  },
  'half a message and the end': (request) => {
    const bytes = bytesOf(honestReply(request));
    sendBytes(bytes.subarray(0, bytes.length >> 1));
    process.exit(0);
  },
  'a message byte by byte': (request) => {
    const bytes = bytesOf(honestReply(request, 'x'.repeat(900)));
    let sent = 0;
    setInterval(() => sendBytes(bytes.subarray(sent, ++sent)), 50);
    return forever();
  },
  'more than may be announced': () => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(2 ** 32 - 1, 0);
    sendBytes(head);
    return forever();
  },
  'an endless message': () => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(1_000_000, 0);
    sendBytes(head);
    for (;;) sendBytes(Buffer.alloc(65_536, 0x20));
  },

  'a reply, and another': (request) => {
    sendMessage(honestReply(request));
    sendMessage(honestReply(request));
  },
  'a reply, and progress a little later': (request) => {
    sendMessage(honestReply(request, self));
    setTimeout(() => progress(request, {}), 50);
  },
  'a reply, and it again to the next task': (request) => {
    sendMessage(honestReply(request, self));
    earlier = request;
  },

  'an icon that is a page': (request) =>
    bent(request, (result) => {
      result.icon = { mediaType: 'text/html', bytes: Buffer.from('<script>') };
    }),
  'a hash that is none': (request) =>
    bent(request, (result) => {
      result.signer = { sha1: '../..', sha256: 'ab' };
    }),
  'rules that were not asked for': (request) =>
    bent(request, ({ rulesets }) => rulesets[0].rules_matched.push(match('planted'))),
  'rules that were asked for': (request) =>
    bent(request, ({ rulesets }) => rulesets[0].rules_matched.push(match('wanted'))),
  'the outcome of another ruleset': (request) =>
    bent(request, ({ rulesets }) => {
      rulesets[0].id = 'another';
    }),
  'no outcome': (request) => bent(request, ({ rulesets }) => rulesets.pop()),
  'times that nobody asked for': (request) =>
    bent(request, ({ rulesets }) => rulesets[0].rules_measured.push({ name: 'wanted', milliseconds: 1 })),
  'more bytes than were asked for': (request) => answer(request, { bytes: Buffer.alloc(5000), size: 5000 }),
  'fewer bytes than it says there are': (request) => answer(request, { bytes: Buffer.alloc(100), size: 50 }),
  'the answer to another question': (request) => answer(request, { path: '', text: '' }, 'xml'),
  'a fault of a field that is none': (request) =>
    bent(request, (result) => Object.assign(result, { fault: 'bad-question', field: 'toString' })),
  'a file name with a path': (request) =>
    bent(request, ({ files }) => files.push({ name: `../${'a'.repeat(32)}.compiled-rules`, bytes: Buffer.alloc(1) })),
  'a report that nobody asked for': (request) =>
    bent(request, (result) => {
      result.cuckoo = { size: 2, compressed: zstdCompressSync('{}') };
    }),
};

/** What was answered before, to be answered once more. */
let earlier: LineRequest | null = null;

const match = (name: string) => ({
  name,
  tags: [],
  metadata: {},
  file: '',
  files_count: 1,
  strings: [],
  strings_count: 0,
});

const answer = (request: LineRequest, given: object, ask = 'content') =>
  bent(request, (_, message) => {
    message.reply.result = { status: 'answered', ask, answer: given };
  });

await serveRequests((request) => {
  if (earlier !== null) sendMessage(honestReply(earlier));
  const { task } = request;
  const name =
    'file' in task
      ? task.file.path
      : task.kind === 'prepare'
        ? task.cacheFolder
        : task.kind === 'join'
          ? 'a report that nobody asked for'
          : 'honest';
  return actions[name]!(request);
});
