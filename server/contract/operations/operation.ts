// What is stated of an operation of the API: who may call it, what it takes, what it answers. Knows no operation.
import type { z } from 'zod';
import type { FailureId } from '../failure.ts';
import type { Action } from '../policy.ts';
import type { CountedLimitName } from '../workstation/settings.ts';

/**
 * `anybody`: tokens are not looked at. `lenient`: a token that is right is known, any other is overlooked. `optional`: a
 * token that is sent must be right.
 */
export type Access = 'token' | 'optional' | 'lenient' | 'anybody';

/** The media types that the file of an answer may have. */
export type FileTypes = readonly `${string}/${string}`[];
/** JSON of a shape, a file, or nothing. */
export type AnswerShape = z.ZodType | FileTypes | null;

/** Records that are looked for before a policy refuses. */
export type Subject = 'analyst' | 'apk' | 'device' | 'ruleset' | 'signer';

export interface Operation {
  summary: string;
  access: Access;
  /** What the account must be allowed to do; checked before the handler runs. */
  policy?: Action;
  /**
   * What its address names, where everybody who may call it sees that: whoever is not allowed hears 404 of what is not
   * there, and 403 of what is. Without it they hear 403 of either, and learn nothing.
   */
  subject?: Subject;
  /** The refusal where the policy does not allow it; `not-allowed` by default. */
  policyRefusal?: FailureId;
  /** A GET that changes something, as clients of the original service expect. HEAD, which must change nothing, is not served. */
  isAct?: true;
  /** Served without a token even where guests may learn nothing; its answer then reveals nothing. */
  isUntelling?: true;
  /** The rate limit that it counts towards for callers with a token, besides `api-usage`. */
  limit?: CountedLimitName;
  query?: z.ZodObject;
  /** Its list comes in pages, by `cursor` or by number, `page`, of `page_size` items. */
  paging?: 'cursor' | 'number';
  /** `file`: the handler reads the body itself. */
  body?: z.ZodType | 'file';
  /** Refusals of its own, besides those that every such operation has: no token, a limit, a faulty field … */
  refusals?: readonly FailureId[];
  /** A GET that is recorded in the audit log, as all other methods are; false for what machines do all the time. */
  isAudited?: boolean;
  /** By status. */
  answers: Readonly<Record<number, AnswerShape>>;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** `GET /apks/<sha256>/`; `PUT|PATCH /account/` for two methods of one operation. */
type Key = `${Method | `${Method}|${Method}`} /${string}`;

/** Operations by method and address, the segments that callers fill in by name. */
export type Operations = Readonly<Record<Key, Operation>>;

/** The same by each method alone. */
export type ByMethod<T> = {
  [K in keyof T as K extends `${infer One}|${infer Other} ${infer Path}`
    ? `${One} ${Path}` | `${Other} ${Path}`
    : K]: T[K];
};

/** Names of the segments that callers fill in. */
export type Segment<K> = K extends `${string}<${infer Name}>${infer Rest}` ? Name | Segment<Rest> : never;

/** What a handler gets of the query or the body. */
export type Taken<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A field that takes its value in several forms, `true` and `"yes"`, is sent in its own one. */
type OwnForms<Input, Output> = {
  [K in keyof Input]: unknown extends Input[K] ? (K extends keyof Output ? Output[K] : never) : Input[K];
};
/** What a client sends as the query or the body. */
type Sent<S> = S extends z.ZodType ? OwnForms<z.input<S>, z.output<S>> : never;
type Paging = { cursor: { cursor?: string }; number: { page?: number } };
type SentPaging<O> = O extends { paging: infer P extends keyof Paging } ? Paging[P] & { page_size?: number } : unknown;
type SentQuery<O> = O extends { query: infer Q } ? Sent<Q> & SentPaging<O> : SentPaging<O>;
/** Under its name; left out at will where nothing in it is required. */
type Named<Name extends string, T> = unknown extends T
  ? unknown
  : Record<never, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

/** What a client gives for an operation: the segments of its address by name, the query, the body. */
export type Given<K, O> = { [Name in Segment<K>]: string } & Named<'query', SentQuery<O>> &
  Named<'body', O extends { body: infer B } ? Sent<B> : unknown>;

/** What a client gets where an operation succeeds. */
export type Gotten<O extends Operation> = Shown<O['answers'][keyof O['answers'] & (200 | 201 | 202 | 204)]>;

/** The body of an answer. */
export type Shown<S extends AnswerShape> = S extends z.ZodType ? z.output<S> : undefined;

/** The same operations, or what is kept for each, at addresses that begin with a prefix. */
export type Under<Prefix extends string, T> = {
  [K in keyof T as K extends `${infer Methods} ${infer Path}` ? `${Methods} ${Prefix}${Path}` : never]: T[K];
};
export const under = <Prefix extends `/${string}`, const T extends object>(prefix: Prefix, all: T) =>
  Object.fromEntries(Object.entries(all).map(([key, one]) => [key.replace(' ', ` ${prefix}`), one])) as Under<
    Prefix,
    T
  >;
