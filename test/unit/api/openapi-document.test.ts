import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApiDocument } from '../../../server/api/openapi.ts';
import { operations as stated } from '../../../server/contract/operations/operations.ts';

/** Written anew by `UPDATE_GOLDEN=1 npm test -- openapi-document`. */
const golden = join(import.meta.dirname, '../../golden/openapi.json');

interface Operation {
  operationId: string;
  summary: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
  parameters: { name: string; in: string }[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

// The version is the package's own and says nothing about the interface.
const document = (await openApiDocument(stated, '0.0.0')) as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, ...operation })),
);

test('the committed OpenAPI document is that of the operations', () => {
  const text = `${JSON.stringify(document, null, 1)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text);
  const committed = readFileSync(golden, 'utf8');
  // Line by line, since the difference of a document of this size tells nobody anything.
  const lines = text.split('\n');
  const before = committed.split('\n');
  const at = lines.findIndex((line, index) => line !== before[index]);
  assert.deepEqual(lines.slice(at, at + 5), at === -1 ? [] : before.slice(at, at + 5), `line ${at + 1} of ${golden}`);
  assert.equal(before.length, lines.length);
});

test('no address and no parameter is described twice, and every segment of a path has its parameter', () => {
  // One operation may stand for two methods, and none of them at two places.
  const keys = Object.keys(stated).flatMap((key) => {
    const [methods, path] = key.split(' ') as [string, string];
    return methods.split('|').map((method) => `${method} ${path}`);
  });
  assert.deepEqual(keys, [...new Set(keys)]);
  for (const { name, path, parameters, summary } of operations) {
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    assert.deepEqual(names, [...new Set(names)], name);
    const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, segment]) => `path ${segment}`);
    assert.deepEqual(
      names.filter((one) => one.startsWith('path ')),
      segments,
      name,
    );
    assert.match(summary, /^[A-Z].*[^.]$/, name);
  }
});

test('every operation has a name of its own, that of its method and address', () => {
  const ids = operations.map(({ operationId }) => operationId);
  assert.deepEqual(ids, [...new Set(ids)]);
  for (const id of ids) assert.match(id, /^(get|post|put|patch|delete)([A-Z0-9][A-Za-z0-9]*)+$/);
  const ask = operations.find(({ name }) => name === 'get /apks/{sha256}/analyze_static/');
  assert.equal(ask?.operationId, 'getApksBySha256AnalyzeStatic');
});

test('what is answered with a file says of which type, and what succeeds without a body is a 204', () => {
  for (const { name, responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (status.startsWith('2')) assert.equal(content === undefined, status === '204', `${name} ${status}`);
    }
  }
  const feed = operations.find(({ name }) => name === 'get /feed/{id}/{name}/')?.responses['200']?.content;
  assert.deepEqual(feed, { 'application/zip': { schema: { type: 'string', format: 'binary' } } });
});

test('signed links name what they are signed with, and lists how they are paged', () => {
  const query = (name: string) => {
    const found = operations.find((operation) => operation.name === name);
    return found?.parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  };
  assert.deepEqual(query('get /downloads/{name}/'), ['expires', 'signature']);
  assert.deepEqual(query('post /uploads/{sha256}/'), ['expires', 'signature']);
  assert.deepEqual(query('get /feed/{id}/{name}/'), ['expires', 'signature']);
  assert.deepEqual(query('get /icons/{sha256}/'), ['signature']);
  assert.deepEqual(query('get /avatars/{username}/'), ['image', 'signature']);
  assert.deepEqual(query('get /apks/{sha256}/votes/'), ['cursor', 'page_size']);
  assert.deepEqual(query('get /analysts/'), ['page', 'page_size']);
  assert.deepEqual(query('get /legacy/activity/'), ['page', 'page_size']);
  assert.deepEqual(query('get /account/tokens/'), []);
});
