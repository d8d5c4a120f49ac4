// How much of an app's code ran, what cut the run short, and what was not reached or not modelled. Knows the coverage only.
import { useState } from 'react';
import { fileNameOf } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { SaveCsv } from '../../../components/table/save-csv.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatDuration, percent } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { CodeLink } from '../code-link.tsx';
import styles from './dynamic.module.css';
import type { Coverage } from './dynamic-report.ts';
import { dynamicTexts } from './texts.ts';

const words = dynamicTexts.coverage;

function Share({ name, pair }: { name: string; pair: [number, number] | null }) {
  if (pair === null) return null;
  const [done, total] = pair;
  const share = percent(total === 0 ? 0 : done / total);
  return (
    <div className={styles.share}>
      <span>{name}</span>
      <span className={styles.bar} role="img" aria-label={`${name}: ${share}`}>
        <span className="drawn-bar" style={{ width: share }} />
      </span>
      <span className="tabular">{words.of(formatCount(done), formatCount(total), share)}</span>
    </div>
  );
}

interface Method {
  name: string;
  /** Why it was not reached, or how often it was called. */
  note: string;
}
const methodText = ({ name, note }: Method) => `${name} ${note}`;
type Choice = 'unmodelled' | 'unreached';

function Methods({ sha256, methods }: { sha256: string; methods: Record<Choice, Method[]> }) {
  const [choice, setChoice] = useState<Choice>(methods.unmodelled.length > 0 ? 'unmodelled' : 'unreached');
  const all = methods[choice];
  const filtered = useFilter(all, methodText);
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(words.choices[choice])}>
        <Segments
          label={words.choice}
          value={choice}
          onChange={setChoice}
          labels={words.choices}
          countOf={(one) => methods[one].length}
        />
        <SaveCsv
          fileName={`${fileNameOf(sha256, choice)}.csv`}
          head={['method', 'note']}
          items={filtered.shown}
          row={({ name, note }) => [name, note]}
        />
      </FilterBar>
      <ListRows
        key={`${choice} ${filtered.applied}`}
        rows={filtered.shown}
        rowHeight={26}
        isMeasured
        label={words.choices[choice]}
      >
        {({ name, note }) => (
          <div className={styles.method}>
            {choice === 'unreached' ? (
              <CodeLink sha256={sha256} name={name} isMethod />
            ) : (
              <HostileText value={name} max={240} mono />
            )}
            <span className={styles.why}>
              <HostileText value={note} max={300} />
            </span>
          </div>
        )}
      </ListRows>
    </>
  );
}

export function CoveragePart({ sha256, coverage }: { sha256: string; coverage: Coverage }) {
  const { methods, instructions, unreached, unmodelled, limits, effort } = coverage;
  const hasMethods = unreached.length + unmodelled.length > 0;
  if (methods === null && instructions === null && !hasMethods && limits.length === 0) {
    return <StatePanel icon="flask" title={dynamicTexts.empty} />;
  }
  return (
    <>
      <div className={styles.coverage}>
        <Share name={words.methods} pair={methods} />
        <Share name={words.instructions} pair={instructions} />
        {effort !== null && (
          <p className={styles.effort}>
            {dynamicTexts.effort(
              formatCount(effort.instructions),
              formatDuration(effort.took),
              formatDuration(effort.lived * 1000),
            )}
          </p>
        )}
        {limits.length > 0 && (
          <section className={styles.limits}>
            <h2>{words.limits}</h2>
            <ul>
              {limits.map((name) => (
                <li key={name}>
                  <HostileText value={dynamicTexts.limits[name] ?? name} max={240} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {hasMethods && (
        <Methods
          sha256={sha256}
          methods={{
            unmodelled: unmodelled.map(({ method, count }) => ({ name: method, note: words.calls(count) })),
            unreached: unreached.map(({ method, why }) => ({ name: method, note: why })),
          }}
        />
      )}
    </>
  );
}
