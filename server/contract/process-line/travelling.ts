// What crosses the line to another machine: a task as its workers get it, and what its pool says of it. Imports zod only.
import { z } from 'zod';
import { excessOf } from './bounds.ts';
import { LineFault } from './frames.ts';
import { maxFailureText, replyLimits } from './limits.ts';
import { type EngineReply, parseMessage } from './messages.ts';
import { issueOf } from './results.ts';
import { type EngineTask, engineTaskSchema } from './tasks.ts';

/** Tasks on one stored file, for which nobody sits and waits. */
export const travellingKinds = ['static', 'dynamic', 'children', 'child'] as const;
export type TravellingTask = Extract<EngineTask, { kind: (typeof travellingKinds)[number] }>;

/** Parts of an app are files beside the one that travels. */
function hasParts(task: EngineTask): boolean {
  if (task.kind === 'dynamic') return task.parts !== undefined && task.parts.length > 0;
  return 'left' in task && task.left?.some(({ origin }) => origin === 'part') === true;
}

export const travels = (task: EngineTask): task is TravellingTask =>
  (travellingKinds as readonly string[]).includes(task.kind) && !hasParts(task);

/** Every message of a task has this number: its ticket tells it from others. */
const onlyId = 0;

const sentTaskSchema = z.strictObject({
  task: engineTaskSchema,
  /** Of its sealed file. */
  fileBytes: z.int().positive(),
  cpuMilliseconds: z.number().positive().optional(),
});
export interface SentAway {
  task: TravellingTask;
  fileBytes: number;
  cpuMilliseconds?: number | undefined;
}

/** A task without the place of its file, which means nothing elsewhere. */
export const sentAway = ({ task, ...rest }: SentAway) => ({
  task: { ...task, file: { ...task.file, path: '' } },
  ...rest,
});

/** @throws LineFault */
export function parseSentAway(received: unknown): SentAway {
  const parsed = sentTaskSchema.safeParse(received);
  if (!parsed.success) throw new LineFault(`a task that is none: ${issueOf(parsed.error)}`);
  const { task, ...rest } = parsed.data;
  if (!travels(task)) throw new LineFault('a task that does not travel');
  return { ...rest, task };
}

/** What a pool says of a worker that its task has ended, which counts against the file as here. */
const verdictSchema = z.strictObject({
  id: z.literal(onlyId),
  type: z.literal('verdict'),
  code: z.enum(['crashed', 'timeout', 'memory']),
  message: z.string().max(maxFailureText),
});

/** How a machine answers; null where the reply says nothing of the file, and another has to try. */
export function answerOf(reply: EngineReply): object | null {
  if (reply.status !== 'failed') return { id: onlyId, type: 'reply', reply };
  const { code, message } = reply;
  if (code === 'not-an-apk') return { id: onlyId, type: 'reply', reply: { status: 'failed', code, message } };
  const isVerdict = verdictSchema.shape.code.safeParse(code).success;
  return isVerdict ? { id: onlyId, type: 'verdict', code, message: message.slice(0, maxFailureText) } : null;
}

/** Reads an answer as strictly as that of a worker here. @throws LineFault */
export function parseAnswer(task: TravellingTask, received: unknown): EngineReply {
  const excess = excessOf(received, replyLimits[task.kind]);
  if (excess !== null) throw new LineFault(excess);
  const verdict = verdictSchema.safeParse(received);
  if (verdict.success) return { status: 'failed', code: verdict.data.code, message: verdict.data.message };
  const message = parseMessage(task, received);
  if (message.type === 'progress' || message.id !== onlyId) throw new LineFault('a message that is no answer');
  if (message.reply.status === 'failed' && message.reply.code !== 'not-an-apk')
    throw new LineFault('a failure that says nothing of the file');
  return message.reply;
}
