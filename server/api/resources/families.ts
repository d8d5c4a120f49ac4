// Families of APKs over HTTP.
import type { Family } from '../../contract/catalogue/family.ts';
import type { familyOperations } from '../../contract/operations/families.ts';
import type { FamilyRecord } from '../../services/families/families.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../paging.ts';
import { presentApk } from '../presenters/apk.ts';
import { presentBulkResult } from '../presenters/bulk.ts';
import { presentFamily, presentFamilyAction, presentFamilyDetail } from '../presenters/family.ts';
import type { Presenting } from '../presenters/presenting.ts';

const find = ({ params, services: { families, ids } }: Call<'id'>): Promise<FamilyRecord> =>
  families.get(ids.decode('family', params.id));

async function shown(
  presenting: Presenting,
  { families }: Services,
  found: readonly FamilyRecord[],
): Promise<Family[]> {
  const newest = await families.newest(found);
  return found.map((family) => presentFamily(presenting, family, newest.get(family.id)));
}

const shownOne = async (presenting: Presenting, services: Services, family: FamilyRecord): Promise<Family> =>
  (await shown(presenting, services, [family]))[0]!;

export const familyHandlers: Handlers<typeof familyOperations> = {
  'GET /families/': async ({ request, query, presenting, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const { search = '', ordering = '-last_seen_at', is_confirmed: isConfirmed } = query;
    const filter = { text: search.trim(), isConfirmed };
    const found = await services.families.list(filter, ordering, asked);
    const count = await services.families.count(filter);
    return ok(numberedPage(request, asked, count, await shown(presenting, services, found)));
  },

  'POST /families/': async ({ body, account, presenting, services }) => {
    const family = await services.familyEdits.create(account, body.apks, body.name);
    return created(await shownOne(presenting, services, family));
  },

  'GET /families/<id>/': async (call) => {
    const family = await find(call);
    const { presenting, services } = call;
    return ok(
      presentFamilyDetail(await shownOne(presenting, services, family), await services.families.portrait(family)),
    );
  },

  'PATCH /families/<id>/': async (call) => {
    const { body, account, presenting, services } = call;
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const family = await services.familyEdits.change(account, await find(call), changes);
    return ok(await shownOne(presenting, services, family));
  },

  'GET /families/<id>/apks/': async (call) => {
    const { request, account, presenting, services } = call;
    const family = await find(call);
    const asked = numberedPageRequestOf(queryOf(request));
    const members = await services.families.members(family, asked);
    const apks = await services.matches.counted(
      account,
      members.map(({ apk }) => apk),
    );
    const results = members.map(({ isFixed }, place) => ({
      apk: presentApk(presenting, apks[place]!),
      is_fixed: isFixed,
    }));
    return ok(numberedPage(request, asked, family.members, results));
  },

  'POST /families/<id>/apks/': async (call) => {
    const { body, account, presenting, services } = call;
    const family = await services.familyEdits.add(account, await find(call), body.apks);
    return ok(await shownOne(presenting, services, family));
  },

  'DELETE /families/<id>/apks/<sha256>/': async (call) => {
    const { account, params, services } = call;
    await services.familyEdits.remove(account, await find(call), await services.catalogue.get(params.sha256));
    return noContent;
  },

  'POST /families/<id>/split/': async (call) => {
    const { body, account, presenting, services } = call;
    const family = await services.familyEdits.split(account, await find(call), body.apks, body.name);
    return created(await shownOne(presenting, services, family));
  },

  'POST /families/<id>/merge/': async (call) => {
    const { body, account, presenting, services } = call;
    const other = await services.families.get(services.ids.decode('family', body.family));
    const family = await services.familyEdits.merge(account, await find(call), other);
    return ok(await shownOne(presenting, services, family));
  },

  'POST /families/<id>/verdict/': async (call) => {
    const { body, account, presenting, services } = call;
    return ok(presentBulkResult(presenting, await services.familyEdits.judge(account, await find(call), body)));
  },

  'GET /families/<id>/actions/': async (call) => {
    const { request, presenting, services } = call;
    const { families, ids } = services;
    const family = await find(call);
    const asked = pageRequestOf(queryOf(request), ids);
    const [page, count] = await Promise.all([families.actions(family, asked), families.countActions(family)]);
    const others = await families.findByIds(page.items.flatMap((action) => otherOf(action, family.id) ?? []));
    return ok(
      cursorPage(request, asked, ids, { ...page, count }, (action) =>
        presentFamilyAction(presenting, action, others.get(otherOf(action, family.id) ?? 0)),
      ),
    );
  },

  'POST /families/<id>/undo/': async (call) => {
    const { body, account, presenting, services } = call;
    const { families, familyEdits, ids } = services;
    const action = await families.action(await find(call), ids.decode('family-action', body.action));
    return ok(await shownOne(presenting, services, await familyEdits.undo(account, action)));
  },
};

/** The other family of an action, seen from one. */
const otherOf = ({ familyId, otherId }: { familyId: number; otherId: number | null }, seenFrom: number) =>
  otherId === seenFrom ? familyId : otherId;
