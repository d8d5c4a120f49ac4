import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedIndicators } from '../../../renderer/pages/apk/indicators/joined.ts';

test('whom an app spoke to stands beside what its code names, each once, with all of its places', () => {
  const named = { urls: [], emails: [], ips: [], domains: [{ value: 'gate.example', where: ['La;->b()V'] }] };
  const interpreted = { indicators: { domains: [{ value: 'gate.example', where: ['dynamic:network'] }] } };
  const onDevice = { opennet: [{ desthost: '10.0.2.2' }, { desthost: '10.0.2.2' }, { desthost: 7 }, {}] };
  const { domains, ips } = joinedIndicators(named, [interpreted, onDevice, null, undefined]);
  assert.deepEqual(domains, [{ value: 'gate.example', where: ['dynamic:network', 'La;->b()V'] }]);
  assert.deepEqual(ips, [{ value: '10.0.2.2', where: ['dynamic:network'] }]);
});
