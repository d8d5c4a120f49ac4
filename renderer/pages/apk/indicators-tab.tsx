// Addresses and strings that the app holds, with where they stand. Knows the report only.
import { useMemo, useState } from 'react';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport } from '../../../server/contract/reports.ts';
import { useReport } from '../../api/queries.ts';
import { formatCount } from '../../components/format.ts';
import { Segments } from '../../components/segments.tsx';
import { texts } from '../../texts.ts';
import { type PlacedValue, ValueList } from './value-list.tsx';

type Part = keyof typeof texts.indicators.kinds;
const parts = Object.keys(texts.indicators.kinds) as Part[];

export function IndicatorsTab({ apk, report }: { apk: ApkDetail; report: AndroguardReport }) {
  const strings = useReport(apk.sha256).data?.cuckoo?.strings;
  const [part, setPart] = useState<Part>('urls');
  const values: Record<Part, readonly PlacedValue[]> = useMemo(
    () => ({
      ...report.indicators,
      strings: (strings ?? []).map((value) => ({ value, where: [] })),
    }),
    [report.indicators, strings],
  );
  return (
    <ValueList key={part} label={texts.indicators.kinds[part]} values={values[part]} none={texts.indicators.none}>
      <Segments
        label={texts.indicators.kindChoice}
        value={part}
        onChange={setPart}
        segments={parts.map((one) => ({
          value: one,
          label: texts.indicators.kinds[one],
          count: formatCount(values[one].length),
        }))}
      />
    </ValueList>
  );
}
