// Indicators of APKs over HTTP, for other programs.
import type { IndicatorFormat, IndicatorQuery } from '../../contract/catalogue/indicator-export.ts';
import type { indicatorOperations } from '../../contract/operations/indicators.ts';
import type { ApkSelection } from '../../services/exports/apk-selections.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import type { Handlers } from '../operation.ts';
import { sendStream } from '../sent-stream.ts';

const files: Readonly<Record<IndicatorFormat, { type: string; name: string }>> = {
  csv: { type: 'text/csv', name: 'indicators.csv' },
  json: { type: 'application/json', name: 'indicators.json' },
  stix: { type: 'application/stix+json;version=2.1', name: 'indicators.stix.json' },
  misp: { type: 'application/json', name: 'indicators.misp.json' },
};

/** @throws Failure `not-found`, `too-many-apks`; SearchFailure */
async function selected(
  { apk, search, family, ruleset, retrohunt, case: asked }: IndicatorQuery,
  account: AccountRecord,
  { cases, catalogue, families, ids, apkSelections, retrohunts, rulesets }: Services,
): Promise<ApkSelection> {
  if (apk !== undefined) return apkSelections.ofApk(await catalogue.get(apk));
  if (family !== undefined) return apkSelections.ofFamily(await families.get(ids.decode('family', family)));
  if (asked !== undefined) return apkSelections.ofCase(await cases.get(ids.decode('case', asked)));
  if (ruleset !== undefined)
    return apkSelections.ofRuleset(await rulesets.get(account, ids.decode('ruleset', ruleset)));
  if (retrohunt !== undefined)
    return apkSelections.ofRetrohunt(await retrohunts.get(account, ids.decode('retrohunt', retrohunt)));
  return apkSelections.ofSearch(search ?? '', account);
}

export const indicatorHandlers: Handlers<typeof indicatorOperations> = {
  'GET /indicators/': async ({ query, request, response, account, services }) => {
    const selection = await selected(query, account, services);
    const { type, name } = files[query.format];
    response.set('Content-Disposition', `attachment; filename="${name}"`);
    response.type(type);
    const written = services.writtenIndicators(selection, query.format, query.defanged === true);
    await sendStream(request, response, () => written);
    return null;
  },
};
