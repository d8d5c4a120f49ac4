// Dismissals of findings and of rules' matches over HTTP.
import type { NewDismissal } from '../../contract/catalogue/dismissal.ts';
import type { dismissalOperations } from '../../contract/operations/dismissals.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import type { DismissalOrder, DismissalRecord } from '../../services/triage/dismissals.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf, wholeList } from '../paging.ts';
import { presentDismissal } from '../presenters/dismissal.ts';
import type { Presenting } from '../presenters/presenting.ts';

/** How dismissals are shown: with what they name. */
async function dismissalPresenter(presenting: Presenting, services: Services, dismissals: readonly DismissalRecord[]) {
  const idsOf = (name: 'apkId' | 'rulesetId' | 'signerId') => [
    ...new Set(dismissals.flatMap((dismissal) => dismissal[name] ?? [])),
  ];
  const apks = await services.catalogue.findByIds(idsOf('apkId'));
  const rulesets = await services.rulesets.findByIds(idsOf('rulesetId'));
  const signers = await services.signers.findByIds(idsOf('signerId'));
  const named = <T>(found: ReadonlyMap<number, T>, id: number | null) => (id === null ? null : (found.get(id) ?? null));
  return (dismissal: DismissalRecord) =>
    presentDismissal(presenting, dismissal, {
      apk: named(apks, dismissal.apkId),
      ruleset: named(rulesets, dismissal.rulesetId),
      signer: named(signers, dismissal.signerId),
    });
}

/** @throws FieldFailure where the field names nothing that is there */
async function named<T>(field: keyof NewDismissal, finding: Promise<T>): Promise<T> {
  return finding.catch((error: unknown) => {
    if (error instanceof Failure && error.id === 'not-found') throw new FieldFailure({ [field]: ['There is none.'] });
    throw error;
  });
}

/** The signer that is meant. @throws FieldFailure */
async function signerOf({ apk, signer }: NewDismissal, { catalogue, signers }: Services): Promise<number> {
  if (signer !== undefined) return (await named('signer', signers.get(signer))).id;
  const { signerId } = await named('apk', catalogue.get(apk!));
  if (signerId === null) throw new FieldFailure({ apk: ['Nobody signed it.'] });
  return signerId;
}

async function orderOf(body: NewDismissal, account: AccountRecord, services: Services): Promise<DismissalOrder> {
  const { scope, finding = null, rule = null, library = null, where: place = null, reason } = body;
  const ruleset =
    body.ruleset === undefined
      ? null
      : await named('ruleset', services.rulesets.get(account, services.ids.decode('ruleset', body.ruleset)));
  const apk = scope === 'apk' ? await named('apk', services.catalogue.get(body.apk!)) : null;
  const signerId = scope === 'signer' ? await signerOf(body, services) : null;
  const subjects = { rulesetId: ruleset?.id ?? null, apkId: apk?.id ?? null, signerId };
  return { scope, finding, rule, library, place, reason, ...subjects };
}

const find = ({ account, params, services: { dismissals, ids } }: Call<'id'>) =>
  dismissals.get(account, ids.decode('dismissal', params.id));

export const dismissalHandlers: Handlers<typeof dismissalOperations> = {
  'GET /dismissals/': async ({ request, query, account, presenting, services }) => {
    const { dismissals, ids } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const filter = { readerId: account.id, isUndone: query.is_undone };
    const [page, count] = await Promise.all([dismissals.page(filter, asked), dismissals.count(filter)]);
    const present = await dismissalPresenter(presenting, services, page.items);
    return ok(cursorPage(request, asked, ids, { ...page, count }, present));
  },

  'POST /dismissals/': async ({ body, account, presenting, services }) => {
    const dismissal = await services.dismissals.dismiss(account, await orderOf(body, account, services));
    return created((await dismissalPresenter(presenting, services, [dismissal]))(dismissal));
  },

  'GET /dismissals/<id>/': async (call) => {
    const dismissal = await find(call);
    return ok((await dismissalPresenter(call.presenting, call.services, [dismissal]))(dismissal));
  },

  'DELETE /dismissals/<id>/': async (call) => {
    await call.services.dismissals.undo(call.account, await find(call));
    return noContent;
  },

  'GET /apks/<sha256>/dismissals/': async ({ params, account, presenting, services }) => {
    const apk = await services.catalogue.get(params.sha256);
    const held = await services.dismissals.holdingFor(apk, account);
    return ok(wholeList(held.map(await dismissalPresenter(presenting, services, held))));
  },
};
