// What keeps workers away from the machine, over HTTP.
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { after, before, test } from 'node:test';
import { compiledPerCharacter, heldPerCharacter } from '../../server/contract/rules/ruleset-limits.ts';
import { escapes } from '../../server/contract/workstation/isolation.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

test('everybody hears whether a wall holds, the owner alone what was tried and what held it', async () => {
  const { isolation } = workstation.server.services;
  const health = async () => (await workstation.ask('/health/', { token: null })).body.isolation;
  assert.equal((await health()).status, 'pending');
  await isolation.measure();
  const { status, kind } = isolation.report;
  assert.deepEqual(await health(), { status, kind });
  const { memory, ...body } = (await workstation.ask('/isolation/')).body;
  const told = body.escapes.map((way: Record<string, unknown>) => [
    way.name,
    way.is_closed_by_system,
    way.is_closed_by_runtime,
  ]);
  const measured = isolation.report.escapes.map((way) => [way.name, way.isClosedBySystem, way.isClosedByRuntime]);
  assert.deepEqual({ ...body, escapes: told }, { status, kind, escapes: measured });
  assert.deepEqual(new Set(body.escapes.map(({ name }: { name: string }) => name)), new Set(escapes));
  assert.deepEqual([memory.machine, memory.is_enough], [totalmem(), true]);
  assert(body.escapes.every((way: { is_closed_by_runtime: boolean | null }) => way.is_closed_by_runtime));
  const token = await workstation.analyst('isolation_analyst');
  assert.equal((await workstation.ask('/isolation/', { token })).status, 403);
});

test('an upload that may not be identified is refused with what the owner does', async () => {
  const { isolation } = workstation.server.services;
  const refusal = isolation.refusal;
  isolation.refusal = async () => ({ status: 'failed', code: 'not-isolated', message: 'no wall' });
  const { status, body } = await workstation.ask('/uploads/', { method: 'POST', body: Buffer.from('PK') });
  isolation.refusal = refusal;
  assert.equal(status, 503);
  assert.match(JSON.stringify(body), /require_isolation/);
});

test('the owner reads what scans may take of the memory for the rules in use', async () => {
  const memory = async () => (await workstation.ask('/isolation/')).body.memory;
  const before = await memory();
  const rules = 'rule remembered { condition: false }';
  const { body } = await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'Remembered', rules } });
  const after = await memory();
  assert.equal(after.rulesets_count, before.rulesets_count + 1);
  assert.equal(after.characters, before.characters + rules.length);
  assert.equal(after.held, before.held + rules.length * heldPerCharacter);
  assert.equal(after.compiling, before.compiling + rules.length * compiledPerCharacter);
  await workstation.ask(`/rulesets/${body.id}/`, { method: 'DELETE' });
  assert.deepEqual(await memory(), before);
});
