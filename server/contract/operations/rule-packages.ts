// Packages of rulesets over HTTP: imported, updated, switched, removed.
import { jobSchema } from '../jobs/job.ts';
import {
  packageImportQuerySchema,
  packageSwitchSchema,
  rulePackageDetailSchema,
  rulePackagesSchema,
} from '../rules/rule-package.ts';
import type { Operations } from './operation.ts';

const owners = { access: 'token', policy: 'rule-packages.manage' } as const;

export const rulePackageOperations = {
  'GET /rule-packages/': {
    summary: 'Packages of rulesets that were imported, by name, and what became of imports (owner)',
    ...owners,
    answers: { 200: rulePackagesSchema },
  },
  'POST /rule-packages/': {
    summary: 'Imports a ZIP, a tar archive or a file of rules as a package, or updates the one of its name (owner)',
    ...owners,
    body: 'file',
    query: packageImportQuerySchema,
    answers: { 202: jobSchema },
  },
  'GET /rule-packages/<name>/': {
    summary: 'A package with what its last import changed (owner)',
    ...owners,
    answers: { 200: rulePackageDetailSchema },
  },
  'PATCH /rule-packages/<name>/': {
    summary: 'Enables or disables all rulesets of a package (owner)',
    ...owners,
    body: packageSwitchSchema,
    answers: { 200: rulePackageDetailSchema },
  },
  'DELETE /rule-packages/<name>/': {
    summary: 'Removes a package with its rulesets and their matches, for good (owner)',
    ...owners,
    answers: { 204: null },
  },
} satisfies Operations;
