// How an operation of the contract is handled: what its handler gets, and what it may answer. Knows no operation.
import type { Request, Response } from 'express';
import type { Access, AnswerShape, Operation, Segment, Shown, Taken } from '../contract/operations/operation.ts';
import type { AccountRecord } from '../services/people/accounts.ts';
import type { Identification } from '../services/people/sessions.ts';
import type { Services } from '../services/services.ts';
import type { Presenting } from './presenters/presenting.ts';

/** A request as its handler gets it: checked for access, with the address's segments, query and body parsed by the contract. */
export interface Call<Name extends string = never, A extends Access = 'token', Query = unknown, Body = unknown> {
  request: Request;
  response: Response;
  services: Services;
  /** Segments of the path. */
  params: Record<Name, string>;
  query: Query;
  body: Body;
  caller: A extends 'token' ? Identification : A extends 'anybody' ? null : Identification | null;
  account: A extends 'token' ? AccountRecord : A extends 'anybody' ? null : AccountRecord | null;
  /** What presenters need of this request. */
  presenting: Presenting;
}

/** An address of the contract as Express has it, `/apks/:sha256`. */
export const routePath = (address: string): string => address.replace(/<(\w+)>/g, ':$1').replace(/(?<=.)\/$/, '');

/** How the audit log names a request, `DELETE /apks/:sha256`. */
export const auditAction = (method: string, address: string): string => `${method} ${routePath(address)}`;

/** What the audit log says of a request beyond its address: who it turned out to be, what it was about. Never a secret. */
export interface Noted {
  username?: string;
  subject?: string;
}

export interface Answer<Status = number, Body = unknown> {
  status: Status;
  body: Body;
  noted?: Noted;
}

/** The answers that an operation states. */
type AnswerOf<Shapes> = {
  [Status in keyof Shapes]: Answer<Status, Shapes[Status] extends AnswerShape ? Shown<Shapes[Status]> : never>;
}[keyof Shapes];

type Field<O, Name extends string> = O extends { [N in Name]: infer S } ? S : undefined;

/** Answers a call; null where it has written the answer itself. */
type Handler<Key, O extends Operation> = (
  call: Call<Segment<Key>, O['access'], Taken<Field<O, 'query'>>, Taken<Field<O, 'body'>>>,
) => Promise<AnswerOf<O['answers']> | null> | AnswerOf<O['answers']> | null;

/** A handler for each of the operations. */
export type Handlers<All> = {
  readonly [Key in keyof All]: All[Key] extends Operation ? Handler<Key, All[Key]> : never;
};

/** How the router sees them, once it has checked what the contract asks. */
export type AnyHandler = (call: Call<string, Access>) => Promise<Answer | null> | Answer | null;

export const ok = <Body>(body: Body, noted: Noted = {}): Answer<200, Body> => ({ status: 200, body, noted });
export const created = <Body>(body: Body, noted: Noted = {}): Answer<201, Body> => ({ status: 201, body, noted });
export const accepted = <Body>(body: Body, noted: Noted = {}): Answer<202, Body> => ({ status: 202, body, noted });
export const noContent: Answer<204, undefined> = { status: 204, body: undefined };
