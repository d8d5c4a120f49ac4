import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApiDocument } from '../../../server/api/openapi.ts';
import { resources } from '../../../server/api/resources/resources.ts';

/** Written anew by `UPDATE_GOLDEN=1 npm test -- openapi-document`. */
const golden = join(import.meta.dirname, '../../golden/openapi.json');

interface Operation {
  summary: string;
  parameters: { name: string; in: string }[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

// The version is the package's own and says nothing about the interface.
const document = openApiDocument(resources, '0.0.0') as unknown as Document;
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
  const paths = resources.map(({ path }) => path);
  assert.deepEqual(paths, [...new Set(paths)]);
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
