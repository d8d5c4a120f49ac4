// The trash over HTTP.
import type { trashOperations } from '../../contract/operations/trash.ts';
import { queryOf } from '../addressing.ts';
import { type Call, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { apkUrl } from '../presenters/apk.ts';
import { rulesetUrl } from '../presenters/rules/ruleset.ts';
import { presentTrashItem } from '../presenters/trash.ts';

const find = ({ account, params, services: { ids, trash } }: Call<'id'>) =>
  trash.get(account, ids.decode('trash', params.id));

export const trashHandlers: Handlers<typeof trashOperations> = {
  'GET /trash/': async ({ request, query: { subject }, account, presenting, services: { ids, trash } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const about = subject === undefined ? {} : { sha256: subject, rulesetId: ids.decode('ruleset', subject) };
    const [page, count, days] = await Promise.all([
      trash.page(account, asked, about),
      trash.count(account, about),
      trash.life(),
    ]);
    const present = (item: (typeof page.items)[number]) => presentTrashItem(presenting, item, item.deletedAt + days);
    return ok(cursorPage(request, asked, ids, { ...page, count }, present));
  },

  'DELETE /trash/': async ({ account, services }) => {
    await services.trash.empty(account);
    return noContent;
  },

  'GET /trash/<id>/': async (call) => {
    const item = await find(call);
    return ok(presentTrashItem(call.presenting, item, item.deletedAt + (await call.services.trash.life())));
  },

  'POST /trash/<id>/restore/': async (call) => {
    const { account, presenting, services } = call;
    const item = await find(call);
    if (item.kind === 'apk') {
      const { sha256 } = await services.trash.restore(item);
      return ok({ apk: apkUrl(presenting, sha256), ruleset: null }, { subject: sha256 });
    }
    const { id } = await services.rulesets.restore(account, item);
    return ok({ apk: null, ruleset: rulesetUrl(presenting, services.ids.encode('ruleset', id)) });
  },

  'DELETE /trash/<id>/': async (call) => {
    const item = await find(call);
    await call.services.trash.remove(item);
    return { ...noContent, noted: { subject: item.sha256 ?? item.name } };
  },
};
