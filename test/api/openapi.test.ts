import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query';
}
interface DocumentedOperation {
  method: string;
  path: string;
  parameters: Parameter[];
  hasBody: boolean;
  responses: Record<string, unknown>;
}

let workstation: TestWorkstation;
let operations: DocumentedOperation[];
before(async () => {
  workstation = await startWorkstation();
  await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(7)));
  const { body } = await workstation.ask('/openapi.json', { token: null });
  operations = Object.entries(body.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        parameters: described.parameters as Parameter[],
        hasBody: 'requestBody' in described,
        responses: described.responses as Record<string, unknown>,
      })),
  );
  // A stream of events has no end, and ending the session would end the walk.
  operations = operations.filter(
    ({ path, method }) => path !== '/events/' && !(path.startsWith('/session/') && method === 'DELETE'),
  );
});
after(() => workstation[Symbol.asyncDispose]());

/** An address with each segment filled in. */
const filled = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));

// The fixture compares the status and every field of each answer with the document.
test('every operation answers everybody as documented: without a token, with a wrong one, an analyst, the owner', async () => {
  const analyst = await workstation.analyst('walker', 'basic');
  const held = newApk(7).sha256;
  for (const { method, path, responses } of operations) {
    for (const token of [null, 'wrong', analyst, workstation.ownerToken]) {
      for (const value of [held, 'owner', '1', 'nothing']) {
        if (value === 'owner' && method !== 'GET') continue;
        const { status } = await workstation.ask(filled(path, value), { method, token });
        assert.ok(status < 500 || status === 503, `${method} ${path} ${value}: ${status}`);
        if (!path.includes('{')) break;
      }
    }
    assert.ok(Object.keys(responses).length > 1, `${method} ${path} documents its refusals`);
  }
});

test('the reference comes from this server alone, with no script inside its page', async () => {
  for (const path of ['/docs/', '/docs', '//docs/']) {
    const { status, text, headers } = await workstation.ask(path, { token: null, headers: { accept: 'text/html' } });
    assert.equal(status, 200);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.doesNotMatch(text, /https?:\/\//);
    assert.doesNotMatch(text, /<script>/);
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    assert.ok(addresses.length >= 4);
    for (const address of addresses) {
      const file = await fetch(`${workstation.url}${address}`);
      assert.equal(file.status, 200, address);
      const type = { js: /javascript/, css: /css/, png: /png/ }[address.split('.').at(-1)!]!;
      assert.match(file.headers.get('content-type') ?? '', type);
      await file.body?.cancel();
    }
  }
  assert.equal((await workstation.ask('/docs/index.html', { token: null })).status, 404);
  assert.equal((await workstation.ask('/docs/../package.json', { token: null })).status, 404);
});
