// Addresses and strings that the app holds, with where they stand. Knows the reports only.
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useReportPart } from '../../../api/apk-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState } from '../../../components/page/state-panel.tsx';
import { CutNote } from '../cut-note.tsx';
import styles from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { type PlacedValue, ValueList } from '../value-list.tsx';
import { joinedIndicators } from './joined.ts';
import { indicatorsTexts } from './texts.ts';

type Part = keyof typeof indicatorsTexts.kinds;
const parts = Object.keys(indicatorsTexts.kinds) as Part[];
const noValues: readonly PlacedValue[] = [];

export function Component({ apk, report }: ReportPartProps) {
  const [parameters, setParameters] = useSearchParams();
  const wanted = parameters.get('kind');
  const part = parts.find((one) => one === wanted) ?? 'urls';
  // The strings are most of a report: they are asked for when they are looked at.
  const cuckoo = useReportPart(apk.sha256, 'cuckoo', part === 'strings');
  const strings = useMemo(() => cuckoo.data?.strings.map((value) => ({ value, where: [] })) ?? noValues, [cuckoo.data]);
  const run = useReportPart(apk.sha256, 'dynamic', apk.is_dynamic_analyzed);
  const device = useReportPart(apk.sha256, 'device', apk.is_dynamic_analyzed);
  const indicators = useMemo(
    () => joinedIndicators(report.indicators, [run.data, device.data]),
    [report, run.data, device.data],
  );
  const values = part === 'strings' ? strings : indicators[part];
  const choice = (
    <Segments
      label={indicatorsTexts.kindChoice}
      value={part}
      onChange={(kind) => setParameters(kind === 'urls' ? {} : { kind }, { replace: true })}
      labels={indicatorsTexts.kinds}
      countOf={(one) => (one === 'strings' ? undefined : indicators[one].length)}
    />
  );
  if (part === 'strings' && !cuckoo.isSuccess) return <QueryState query={cuckoo} />;
  return (
    <ValueList
      key={part}
      sha256={apk.sha256}
      label={indicatorsTexts.kinds[part]}
      values={values}
      none={indicatorsTexts.none}
    >
      {choice}
      <CutNote report={report} list={part === 'strings' ? part : `indicators ${part}`} />
      {part === 'strings' && (
        <Link className={styles.note} to={`/apks/${apk.sha256}/code?mode=search&kinds=string`}>
          {indicatorsTexts.inCode}
        </Link>
      )}
    </ValueList>
  );
}
