// Signers over HTTP: which there are, and which are trusted.
import type { signerOperations } from '../../contract/operations/signers.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { numberedPage, numberedPageRequestOf } from '../paging.ts';
import { presentSigner } from '../presenters/signer.ts';

export const signerHandlers: Handlers<typeof signerOperations> = {
  'GET /signers/': async ({ request, query, services: { signers } }) => {
    const isTrusted = query.is_trusted ?? null;
    const asked = numberedPageRequestOf(queryOf(request));
    const results = (await signers.list(isTrusted, asked)).map(presentSigner);
    return ok(numberedPage(request, asked, await signers.count(isTrusted), results));
  },

  'PUT|PATCH /signers/<sha256>/': async ({ body, params, services: { signers } }) => {
    const { is_trusted: isTrusted, is_bad: isBad } = body;
    return ok(presentSigner(await signers.judge(params.sha256.toLowerCase(), { isTrusted, isBad })));
  },
};
