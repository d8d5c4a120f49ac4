// Indicators as CSV and as JSON, for spreadsheets and scripts. Knows no APK but what it is given.
import { csvRow } from '../../contract/csv.ts';
import { defanged, type Indicator, type IndicatorsOfApk } from './indicators.ts';

const shownValue = (indicator: Indicator, isDefanged: boolean): string =>
  isDefanged ? defanged(indicator) : indicator.value;

/** The head, then a row for each indicator of each APK. */
export function* indicatorCsv(apks: readonly IndicatorsOfApk[], isDefanged: boolean): Generator<string> {
  const columns = ['type', 'value', 'contacted', 'apk_sha256', 'package_name', 'app', 'family', 'verdict', 'risk'];
  yield csvRow(columns);
  for (const { apk, family, indicators } of apks) {
    for (const indicator of indicators) {
      yield csvRow([
        ...[indicator.kind, shownValue(indicator, isDefanged), indicator.isContacted],
        ...[apk.sha256, apk.packageName, apk.app, family, apk.verdict, apk.risk ?? ''],
      ]);
    }
  }
}

/** One JSON object: each APK with its indicators and the techniques that it shows. */
export function indicatorJson(apks: readonly IndicatorsOfApk[], isDefanged: boolean, made: Date): string {
  const shown = apks.map(({ apk, family, indicators, techniques }) => ({
    ...{ sha256: apk.sha256, package_name: apk.packageName, app: apk.app, version: apk.version },
    ...{ verdict: apk.verdict, family, risk: apk.risk },
    indicators: indicators.map((indicator) => ({
      ...{ type: indicator.kind, value: shownValue(indicator, isDefanged), is_contacted: indicator.isContacted },
    })),
    techniques: techniques.map(({ id, name }) => ({ id, name })),
  }));
  return `${JSON.stringify({ made_at: made.toISOString(), is_defanged: isDefanged, apks: shown })}\n`;
}
