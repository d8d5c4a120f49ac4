// What crosses the line between the service side and its workers, in both directions. Imports zod only.
import { z } from 'zod';
import { excessOf } from './bounds.ts';
import { LineFault } from './frames.ts';
import { maxFailureText, replyLimits } from './limits.ts';
import { type EngineResults, issueOf, parseResult } from './results.ts';
import type { EngineTask, EngineTaskKind } from './tasks.ts';

/** What a worker may say of a task that has no result. `not-an-apk` is the file's fault. */
const toldFailureCodes = ['not-an-apk', 'unreadable-file', 'internal'] as const;

/** Why a task has no result; `invalid-reply`: its worker said what none may say, and was ended. */
export const engineFailureCodes = [
  ...toldFailureCodes,
  'crashed',
  'timeout',
  'memory',
  'invalid-reply',
  /** The owner wants a wall around workers, and this machine has none that holds. */
  'not-isolated',
  'cancelled',
] as const;

export type FailedReply = { status: 'failed'; code: (typeof engineFailureCodes)[number]; message: string };
export type FinishedReply<K extends EngineTaskKind = EngineTaskKind> = {
  status: 'done' | 'partial';
  result: EngineResults[K];
};
export type EngineReply<K extends EngineTaskKind = EngineTaskKind> = FinishedReply<K> | FailedReply;

/** What a worker sends: any number of progress messages, then one reply. */
const lineMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    id: z.int(),
    type: z.literal('progress'),
    stage: z.string().regex(/^[\x20-\x7e]{1,200}$/),
    /** 0 to 1. */
    done: z.number().min(0).max(1),
  }),
  z.strictObject({
    id: z.int(),
    type: z.literal('reply'),
    reply: z.discriminatedUnion('status', [
      z.strictObject({
        status: z.literal('failed'),
        code: z.enum(toldFailureCodes),
        message: z.string().max(maxFailureText),
      }),
      z.strictObject({ status: z.enum(['done', 'partial']), result: z.unknown() }),
    ]),
  }),
]);
type ReceivedMessage = z.infer<typeof lineMessageSchema>;
export type ProgressMessage = Extract<ReceivedMessage, { type: 'progress' }>;
export interface ReplyMessage {
  id: number;
  type: 'reply';
  reply: EngineReply;
}
export type LineMessage = ProgressMessage | ReplyMessage;

/** @throws LineFault */
export function parseMessage(task: EngineTask, received: unknown): LineMessage {
  const excess = excessOf(received, replyLimits[task.kind]);
  if (excess !== null) throw new LineFault(excess);
  const parsed = lineMessageSchema.safeParse(received);
  if (!parsed.success) throw new LineFault(`a malformed message: ${issueOf(parsed.error)}`);
  const message = parsed.data;
  if (message.type === 'progress') return message;
  const { id, type, reply } = message;
  if (reply.status === 'failed') return { id, type, reply };
  const checked = parseResult(task, reply.result);
  if ('fault' in checked) throw new LineFault(checked.fault);
  return { id, type, reply: { status: reply.status, result: checked.result } };
}
