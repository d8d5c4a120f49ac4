// One operation on one address: who may call it, what it takes, what it answers. Routes are lists of these.
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { FailureId } from '../contract/failure.ts';
import type { CountedLimitName } from '../contract/settings.ts';
import type { AccountRecord } from '../services/people/accounts.ts';
import type { Identification } from '../services/people/sessions.ts';
import type { Services } from '../services/services.ts';
import type { Presenting } from './presenters/presenting.ts';

/**
 * `anybody`: tokens are not looked at. `lenient`: a token that is right is known, any other is overlooked. `optional`: a
 * token that is sent must be right.
 */
export type Access = 'token' | 'optional' | 'lenient' | 'anybody';

export interface Call<A extends Access, Q, B> {
  request: Request;
  response: Response;
  services: Services;
  /** Segments of the path. */
  params: Record<string, string>;
  query: Q;
  body: B;
  caller: A extends 'token' ? Identification : A extends 'optional' | 'lenient' ? Identification | null : null;
  account: A extends 'token' ? AccountRecord : A extends 'optional' | 'lenient' ? AccountRecord | null : null;
  /** What presenters need of this request. */
  presenting: Presenting;
}

/** What the audit log says of a request beyond its address: who it turned out to be, what it was about. Never a secret. */
export interface Noted {
  username?: string;
  subject?: string;
}

/** What an operation answers; null where it has written the answer itself. */
export type Answer = { status: number; body: unknown; noted?: Noted } | null;

export interface OperationDescription {
  summary: string;
  access: Access;
  /** A GET that changes something, as clients of the original expect it: HEAD, which asks only what GET would say, is not served. */
  isAct?: true;
  /** Where callers without a token are to learn nothing, it serves them all the same, and tells nothing. */
  isUntelling?: true;
  /** Counted for callers with a token, beside `api-usage`. */
  limit?: CountedLimitName;
  querySchema?: z.ZodType;
  /** Its list is paged by number, outside of `/analysts` too. */
  isNumbered?: true;
  bodySchema?: z.ZodType;
  /** `file`: the operation reads the body itself. */
  bodyKind?: 'form' | 'file';
  /** What it may be refused for beside what every operation of its kind is: no token, a limit, a faulty field … */
  refusals?: readonly FailureId[];
  /** A GET that hands something out or changes something: it is worth a record in the audit log as all other methods are. */
  isAudited?: boolean;
  /** By status: JSON of a shape, a file, or nothing. */
  answers: Record<number, AnswerShape>;
}

/** The media types that the file of an answer may have. */
export type FileTypes = readonly `${string}/${string}`[];
export type AnswerShape = z.ZodType | FileTypes | null;

export interface Operation extends OperationDescription {
  run(call: Omit<Call<Access, never, never>, 'query' | 'body'> & { query: unknown; body: unknown }): Promise<Answer>;
}

/** States an operation; its handler gets query and body as their schemas see them. */
export function operation<
  A extends Access,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
>(
  description: Omit<OperationDescription, 'access' | 'querySchema' | 'bodySchema'> & {
    access: A;
    querySchema?: Q;
    bodySchema?: B;
  },
  handle: (call: Call<A, z.output<Q>, z.output<B>>) => Promise<Answer> | Answer,
): Operation {
  return { ...description, run: async (call) => handle(call as unknown as Call<A, z.output<Q>, z.output<B>>) };
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** An address with its operations; `path` has segments like `:sha256` and no slash at its end. */
export interface Resource {
  path: string;
  operations: Partial<Record<Method, Operation>>;
}

export const ok = (body: unknown, noted: Noted = {}): Answer => ({ status: 200, body, noted });
export const created = (body: unknown, noted: Noted = {}): Answer => ({ status: 201, body, noted });
export const noContent: Answer = { status: 204, body: undefined };
