// Packages of rulesets over HTTP: imported, updated, switched, removed.
import { jobSchema } from '../jobs/job.ts';
import {
  packageImportQuerySchema,
  packagePreviewSchema,
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
  'GET /rule-packages/previews/<id>/': {
    summary: 'What an import would change, file by file and line by line; the id is that of its job (owner)',
    ...owners,
    answers: { 200: packagePreviewSchema },
  },
  'POST /rule-packages/previews/<id>/': {
    summary: 'Imports what was previewed (owner)',
    ...owners,
    answers: { 202: jobSchema },
  },
  'DELETE /rule-packages/previews/<id>/': {
    summary: 'Discards what was previewed (owner)',
    ...owners,
    answers: { 204: null },
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
