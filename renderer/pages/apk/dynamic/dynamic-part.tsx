// What an app did when it was run: time line, network, files, leaks, coverage. Knows the dynamic report only.
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { artefactOf, useReportPart } from '../../../api/apk-queries.ts';
import { SaveButton } from '../../../components/file/save-button.tsx';
import { fileNameOf } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { SaveCsv } from '../../../components/table/save-csv.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatVirtualTime } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { CodeLink } from '../code-link.tsx';
import type { ApkPartProps } from '../parts.tsx';
import { CoveragePart } from './coverage-part.tsx';
import styles from './dynamic.module.css';
import {
  type BehaviourPart,
  type BehaviourRow,
  behaviourOf,
  categoryName,
  coverageOf,
  type SeenScreen,
  screensOf,
  type TimelineEvent,
  timelineOf,
  wordsOf,
} from './dynamic-report.ts';
import { taintName } from './entry-details.ts';
import { Screens } from './screens.tsx';
import { dynamicTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

const rowText = ({ operation, subject, data, tags }: BehaviourRow) =>
  `${operation} ${subject} ${data} ${tags.join(' ')} ${tags.map(taintName).join(' ')}`;
const eventText = (event: TimelineEvent) =>
  `${categoryName(event.category)} ${event.component} ${event.summary} ${wordsOf(event)}`;
/** Lines of data shown in a row; the rest is in the raw report. */
const maxLines = 12;
const seconds = (time: number | null) => (time === null ? '' : formatVirtualTime(time));

/** Saves what the app loaded while it was run, under its hash. */
const ArtefactButton = ({ sha256, artefact }: { sha256: string; artefact: string }) => (
  <SaveButton fileName={`${artefact}.bin`} fetchParts={async () => [await artefactOf(sha256, artefact)]} />
);

function Row({ sha256, row }: { sha256: string; row: BehaviourRow }) {
  return (
    <div className={styles.row} data-testid="behaviour">
      <span className="tabular">{seconds(row.time)}</span>
      <span title={row.operation}>
        <HostileText value={dynamicTexts.operations[row.operation] ?? row.operation} max={40} isFixed />
      </span>
      <span className={styles.what}>
        <HostileText value={row.subject} max={300} mono />
        {row.tags.map((tag) => (
          <Chip key={tag} tone="high">
            <HostileText value={taintName(tag)} max={40} isFixed />
          </Chip>
        ))}
        {row.artefact !== null && <ArtefactButton sha256={sha256} artefact={row.artefact} />}
        {row.data !== '' && (
          <span className={styles.data}>
            {row.data.split('\n', maxLines).map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places
              <span key={at} className={styles.dataLine}>
                <HostileText value={line} max={300} mono />
              </span>
            ))}
          </span>
        )}
        {row.path.length > 0 && (
          <ol className={styles.path} aria-label={dynamicTexts.path}>
            {row.path.slice(0, 60).map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a path may pass a place twice
              <li key={at}>
                <PathStep sha256={sha256} step={step} />
              </li>
            ))}
          </ol>
        )}
      </span>
    </div>
  );
}

const csvOf = ({ time, operation, subject, data, tags }: BehaviourRow) => [
  time === null ? '' : String(time),
  operation,
  subject,
  data,
  tags.join(' '),
];

function Rows({ sha256, label, rows }: { sha256: string; label: string; rows: readonly BehaviourRow[] }) {
  const filtered = useFilter(rows, rowText);
  if (rows.length === 0) return <StatePanel icon="flask" title={dynamicTexts.empty} />;
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(label)}>
        <SaveCsv
          fileName={`${fileNameOf(sha256, label)}.csv`}
          head={Object.values(dynamicTexts.columns)}
          items={filtered.shown}
          row={csvOf}
        />
      </FilterBar>
      <ListRows key={filtered.applied} rows={filtered.shown} rowHeight={34} isMeasured label={label}>
        {(row) => <Row sha256={sha256} row={row} />}
      </ListRows>
    </>
  );
}

/** Android's own methods are named by class and method alone, fields of screens in words: neither has code in the app. */
const PathStep = ({ sha256, step }: { sha256: string; step: string }) =>
  /^\w+\.\w+$|\s/.test(step) ? (
    <HostileText value={step} mono isFixed />
  ) : (
    <CodeLink sha256={sha256} name={step} isMethod />
  );

interface TimelinePartProps {
  sha256: string;
  events: readonly TimelineEvent[];
  screens: readonly SeenScreen[];
}

function TimelinePart({ sha256, events, screens }: TimelinePartProps) {
  const [range, setRange] = useState<[number, number] | null>(null);
  const inRange = useMemo(
    () => (range === null ? events : events.filter(({ time }) => time >= range[0] && time <= range[1])),
    [events, range],
  );
  const seen = useMemo(
    () => (range === null ? screens : screens.filter(({ time }) => time >= range[0] && time <= range[1])),
    [screens, range],
  );
  const filtered = useFilter(inRange, eventText);
  if (events.length === 0) return <StatePanel icon="flask" title={dynamicTexts.empty} />;
  return (
    <>
      <Timeline events={events} range={range} onRange={setRange} />
      {seen.length > 0 && <Screens sha256={sha256} screens={seen} />}
      <FilterBar list={filtered} label={texts.filter.of(dynamicTexts.parts.timeline)} total={events.length}>
        {range !== null && (
          <Button size="compact-sm" variant="default" onClick={() => setRange(null)}>
            {dynamicTexts.wholeTime}
          </Button>
        )}
      </FilterBar>
      <ListRows
        key={`${range} ${filtered.applied}`}
        rows={filtered.shown}
        rowHeight={26}
        isMeasured
        label={dynamicTexts.timeline}
      >
        {(event) => (
          <div className={styles.row} data-testid="timeline-event">
            <span className="tabular">{seconds(event.time)}</span>
            <span>
              <HostileText value={categoryName(event.category)} max={30} isFixed />
            </span>
            <span className={styles.what}>
              <HostileText value={wordsOf(event)} max={300} mono />
              {event.count > 1 && <span className="tabular">×{formatCount(event.count)}</span>}
              {event.component !== '' && (
                <span className={styles.component}>
                  <CodeLink sha256={sha256} name={event.component} />
                </span>
              )}
            </span>
          </div>
        )}
      </ListRows>
    </>
  );
}

type PartName = BehaviourPart | 'timeline' | 'coverage';
const partNames = Object.keys(dynamicTexts.parts) as PartName[];

/** The address's parameters with another choice, which is left out where it is the usual one. */
const withChoice = (name: 'part' | 'run', choice: string, usual: string) => (parameters: URLSearchParams) => {
  const others = [...parameters].filter(([other]) => other !== name);
  return new URLSearchParams(choice === usual ? others : [...others, [name, choice]]);
};

function Report({ sha256, report }: { sha256: string; report: Record<string, unknown> }) {
  const [parameters, setParameters] = useSearchParams();
  const behaviour = useMemo(() => behaviourOf(report), [report]);
  const events = useMemo(() => timelineOf(report, behaviour), [report, behaviour]);
  const coverage = useMemo(() => coverageOf(report), [report]);
  const screens = useMemo(() => screensOf(report), [report]);
  const wanted = parameters.get('part');
  const part = partNames.find((name) => name === wanted) ?? 'timeline';
  const countOf = (name: PartName): number | undefined => {
    if (name === 'coverage') return undefined;
    return name === 'timeline' ? events.length : behaviour[name].length;
  };
  return (
    <>
      <div className={styles.parts}>
        <Segments
          label={dynamicTexts.partChoice}
          value={part}
          onChange={(next) => setParameters(withChoice('part', next, 'timeline'))}
          labels={dynamicTexts.parts}
          countOf={countOf}
        />
      </div>
      {part === 'timeline' && <TimelinePart sha256={sha256} events={events} screens={screens} />}
      {part === 'coverage' && <CoveragePart sha256={sha256} coverage={coverage} />}
      {part !== 'timeline' && part !== 'coverage' && (
        <Rows key={part} sha256={sha256} label={dynamicTexts.parts[part]} rows={behaviour[part]} />
      )}
    </>
  );
}

const isOfDevice = ({ engine }: Record<string, unknown>): boolean =>
  typeof engine === 'object' && engine !== null && 'source' in engine && engine.source === 'device';

/** The interpreter's report, and beside it the last that a connected device gave, where there are both. */
function Runs({ sha256, interpreted }: { sha256: string; interpreted: Record<string, unknown> }) {
  const device = useReportPart(sha256, 'device', !isOfDevice(interpreted));
  const [parameters, setParameters] = useSearchParams();
  const run = parameters.get('run') === 'device' ? 'device' : 'dynamic';
  const seen = device.data ?? null;
  if (seen === null) return <Report sha256={sha256} report={interpreted} />;
  return (
    <>
      <div className={styles.parts}>
        <Segments
          label={dynamicTexts.runChoice}
          value={run}
          onChange={(next) => setParameters(withChoice('run', next, 'dynamic'))}
          labels={dynamicTexts.runs}
        />
      </div>
      <Report key={run} sha256={sha256} report={run === 'device' ? seen : interpreted} />
    </>
  );
}

export function Component({ apk: { sha256 } }: ApkPartProps) {
  const report = useReportPart(sha256, 'dynamic');
  if (!report.isSuccess) return <QueryState query={report} />;
  if (report.data !== null) return <Runs sha256={sha256} interpreted={report.data} />;
  return <MissingReport sha256={sha256} kind="dynamic" />;
}
