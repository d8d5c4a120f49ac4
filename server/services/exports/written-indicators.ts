// How the indicators of some APKs are written. Knows nothing of HTTP.
import type { IndicatorFormat } from '../../contract/catalogue/indicator-export.ts';
import type { Store } from '../../store/store.ts';
import { type ApkSelection, checkSelected } from './apk-selections.ts';
import { indicatorCsv, indicatorJson } from './indicator-rows.ts';
import { type IndicatorsOfApk, indicatorsOf } from './indicators.ts';
import { mispEvent } from './misp-event.ts';
import { stixBundle } from './stix-bundle.ts';

const pageSize = 100;

/** The indicators of the APKs, in pieces of text. @throws Failure `too-many-apks` */
export async function* writtenIndicators(
  store: Store,
  { title, apkIds }: ApkSelection,
  format: IndicatorFormat,
  isDefanged: boolean,
): AsyncGenerator<string> {
  const made = new Date(store.clock() / 1000);
  const found: IndicatorsOfApk[] = [];
  checkSelected(apkIds.length);
  for (let at = 0; at < apkIds.length; at += pageSize) {
    const some = apkIds.slice(at, at + pageSize);
    const apks = await store.apks.findByIds(some);
    found.push(
      ...(await indicatorsOf(
        store,
        some.flatMap((id) => apks.get(id) ?? []),
      )),
    );
  }
  switch (format) {
    case 'csv':
      return yield* indicatorCsv(found, isDefanged);
    case 'json':
      return yield indicatorJson(found, isDefanged, made);
    case 'stix':
      return yield stixBundle(found, made);
    case 'misp':
      return yield mispEvent(found, title, made);
  }
}
