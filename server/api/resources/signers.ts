// Signers over HTTP: which there are, and which are trusted.
import {
  type Signer,
  signerChangesSchema,
  signerListQuerySchema,
  signerListSchema,
  signerSchema,
} from '../../contract/signer.ts';
import type { CountedSigner } from '../../services/catalogue/signers.ts';
import { Failure } from '../../services/failure.ts';
import { isAllowed } from '../../services/policies.ts';
import { queryOf } from '../addressing.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';

const presentSigner = ({ sha256, sha1, company, isTrusted, apks }: CountedSigner): Signer => ({
  sha256,
  sha1,
  company,
  is_trusted: isTrusted,
  apks_count: apks,
  search: `cert:${sha1}`,
});

const list = operation(
  {
    summary: 'Signers of the APKs in the catalogue, those of most APKs first',
    access: 'token',
    querySchema: signerListQuerySchema,
    isNumbered: true,
    refusals: ['invalid-page'],
    answers: { 200: signerListSchema },
  },
  async ({ request, query, services: { signers } }) => {
    const isTrusted = query.is_trusted ?? null;
    const asked = numberedPageRequestOf(queryOf(request));
    const results = (await signers.list(isTrusted, asked)).map(presentSigner);
    return ok(numberedPage(request, asked, await signers.count(isTrusted), results));
  },
);

const change = operation(
  {
    summary: 'Trusts a signer or does so no longer, with all its APKs (owner, expert)',
    access: 'token',
    bodySchema: signerChangesSchema,
    answers: { 200: signerSchema },
  },
  async ({ account, body, params, services: { signers } }) => {
    if (!isAllowed(account, 'apk.trust')) throw new Failure('not-allowed');
    return ok(presentSigner(await signers.setTrusted(params.sha256!.toLowerCase(), body.is_trusted)));
  },
);

export const signerResources: Resource[] = [
  { path: '/signers', operations: { get: list } },
  { path: '/signers/:sha256', operations: { put: change, patch: change } },
];
