// What does not fit the contract does not compile: held by the compiler, which wants an error behind each of these lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ask, askBytes } from '../../../renderer/api/client.ts';
import { created, type Handlers, noContent, ok } from '../../../server/api/operation.ts';
import { type Operations, under } from '../../../server/contract/operations/operation.ts';

const operations = {
  'GET /things/<id>/': {
    summary: 'One thing',
    access: 'token',
    query: z.object({ part: z.coerce.number().optional() }),
    answers: { 200: z.object({ size: z.number() }) },
  },
  'PUT|PATCH /things/<id>/': {
    summary: 'Changes a thing',
    access: 'optional',
    body: z.object({ size: z.number() }),
    answers: { 200: z.object({ size: z.number() }), 204: null },
  },
} satisfies Operations;

type Get = Handlers<typeof operations>['GET /things/<id>/'];
type Put = Handlers<typeof operations>['PUT|PATCH /things/<id>/'];

export const handlers: Handlers<typeof operations> = {
  'GET /things/<id>/': ({ params, query, account }) => ok({ size: params.id.length + (query.part ?? account.id) }),
  'PUT|PATCH /things/<id>/': ({ account, body }) => (account === null ? noContent : ok(body)),
};

export const refused: (Get | Put)[] = [
  // @ts-expect-error another shape than is stated
  (() => ok({ size: '1' })) satisfies Get,
  // @ts-expect-error a status that is not stated
  (() => created({ size: 1 })) satisfies Get,
  // @ts-expect-error no such segment in the address
  (({ params }) => ok({ size: params.name.length })) satisfies Get,
  // @ts-expect-error no such parameter in the query
  (({ query }) => ok({ size: query.parts })) satisfies Get,
  // @ts-expect-error callers without a token have no account
  (({ account }) => ok({ size: account.id })) satisfies Put,
];

// @ts-expect-error an operation without a handler
export const incomplete: Handlers<typeof operations> = { 'GET /things/<id>/': handlers['GET /things/<id>/'] };

export const misstated = {
  // @ts-expect-error no such action
  'GET /things/': { summary: 'Things', access: 'token', policy: 'thing.see', answers: { 204: null } },
  // @ts-expect-error no such refusal
  'POST /things/': { summary: 'A thing', access: 'token', refusals: ['no-thing'], answers: { 204: null } },
} satisfies Operations;

/** Never called: what the interface may ask. */
export async function questions(asks: typeof ask, asksBytes: typeof askBytes) {
  const page = await asks('GET /signers/', { query: { page: 2, is_trusted: true } });
  const company: string | undefined = page.results[0]?.company;
  const nothing: undefined = await asks('DELETE /apks/<sha256>/', { sha256: '' });
  const { bytes } = await asksBytes('GET /apks/<sha256>/files/content/', { sha256: '', query: { offset: 1 } });
  // @ts-expect-error no such operation
  await asks('GET /signer/');
  // @ts-expect-error a segment is missing
  await asks('GET /apks/<sha256>/');
  // @ts-expect-error a query of another type
  await asks('GET /signers/', { query: { is_trusted: 'maybe' } });
  // @ts-expect-error a body of another shape
  await asks('PATCH /signers/<sha256>/', { sha256: '', body: { trusted: true } });
  // @ts-expect-error no such field in the answer
  page.results[0]?.name;
  // @ts-expect-error a file is no JSON
  await asks('GET /about/notices/');
  return [company, nothing, bytes];
}

test('operations below a prefix keep what is stated of them, and both their methods', () => {
  const below = under('/legacy', operations);
  assert.equal(below['GET /legacy/things/<id>/'], operations['GET /things/<id>/']);
  assert.deepEqual(Object.keys(below), ['GET /legacy/things/<id>/', 'PUT|PATCH /legacy/things/<id>/']);
});
