// What crosses the line between the service side and a worker process, in both directions. Imports zod only.
import { z } from 'zod';
import type { EngineReply, EngineTask, EngineTaskKind } from '../engine.ts';
import type { FrameLimits } from './frames.ts';

/** Where a worker process finds the line: pipes beside its standard streams, which anything may write to. */
export const inputDescriptor = 3;
export const outputDescriptor = 4;

/** What the service side sends; one task at a time per worker. */
export interface LineRequest {
  id: number;
  task: EngineTask;
}

const mebibyte = 1_048_576;

/** What one message may hold: of a task, and of the reply to it. */
export const requestLimits: FrameLimits = { text: 256 * mebibyte, attached: 512 * mebibyte };
export const replyLimits: Record<EngineTaskKind, FrameLimits> = {
  identify: { text: 4 * mebibyte, attached: 16 * mebibyte },
  static: { text: 16 * mebibyte, attached: 128 * mebibyte },
  dynamic: { text: 4 * mebibyte, attached: 256 * mebibyte },
  explore: { text: 64 * mebibyte, attached: 64 * mebibyte },
  compile: { text: 32 * mebibyte, attached: 0 },
  yara: { text: 64 * mebibyte, attached: 0 },
  prepare: { text: 32 * mebibyte, attached: 1024 * mebibyte },
  join: { text: 8 * mebibyte, attached: 64 * mebibyte },
};

const failedReplySchema = z.strictObject({
  status: z.literal('failed'),
  // The others are the pool's to tell.
  code: z.enum(['not-an-apk', 'unreadable-file', 'internal']),
  message: z.string().max(1000),
});

/** What a worker sends: any number of progress messages, then one reply. */
const lineMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    id: z.number(),
    type: z.literal('progress'),
    stage: z.string().max(100),
    done: z.number().min(0).max(1),
  }),
  z.strictObject({
    id: z.number(),
    type: z.literal('reply'),
    reply: z.discriminatedUnion('status', [
      failedReplySchema,
      z.strictObject({ status: z.enum(['done', 'partial']), result: z.unknown() }),
    ]),
  }),
]);
export type LineMessage =
  | { id: number; type: 'progress'; stage: string /** 0 to 1. */; done: number }
  | { id: number; type: 'reply'; reply: EngineReply };

/** @returns null for anything that is no message of a worker */
export function parseLineMessage(message: unknown): LineMessage | null {
  const parsed = lineMessageSchema.safeParse(message);
  return parsed.success ? (parsed.data as LineMessage) : null;
}
