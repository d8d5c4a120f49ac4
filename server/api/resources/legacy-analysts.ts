// Analysts over HTTP under /legacy, and the analyst of the token at both bases. What both generations share is theirs.
import type { Operation, Resource } from '../operation.ts';
import { analystResources } from './analysts.ts';

const shared = new Map(analystResources.map((resource) => [resource.path, resource]));

const detail = shared.get('/analysts/:username')!.operations.get!;

/** `current` stands for the name of whoever asks. */
const current: Operation = {
  ...detail,
  summary: 'The analyst of the token',
  run: (call) => detail.run({ ...call, params: { username: call.account!.username } }),
};

export const legacyAnalystResources: Resource[] = [
  { path: '/analysts/current', operations: { get: current } },
  { path: '/legacy/analysts/current', operations: { get: current } },
  ...analystResources.map(({ path, operations }) => ({ path: `/legacy${path}`, operations })),
];
