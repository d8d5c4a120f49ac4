// What workers can reach on this machine, as it was measured, over HTTP, for the owner alone.
import type { isolationOperations } from '../../contract/operations/isolation.ts';
import { type Handlers, ok } from '../operation.ts';
import { presentIsolation, presentScanMemory } from '../presenters/isolation.ts';

export const isolationHandlers: Handlers<typeof isolationOperations> = {
  'GET /isolation/': async ({ services: { isolation, memoryOfRules } }) =>
    ok({ ...presentIsolation(isolation.report), memory: presentScanMemory(await memoryOfRules()) }),
};
