// How much of an app's code ran, what cut the run short, and what was not reached or not modelled. Knows the coverage only.
import { useState } from 'react';
import { fileNameOf } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { PlaceLink } from '../../../components/place/place-link.tsx';
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
  /** What it calls, `android.telephony.SmsManager.sendTextMessage`; empty where the method itself is meant. */
  api: string;
  /** Why it was not reached, what it was called with, or how often. */
  note: string;
}
const methodText = ({ name, api, note }: Method) => `${name} ${api} ${note}`;
type Choice = keyof typeof words.choices;

/** What a report lists, by where it belongs. */
function listsOf({ calls, unreached, unmodelled }: Coverage): Partial<Record<Choice, Method[]>> {
  const inState = (...states: string[]) =>
    (calls ?? [])
      .filter(({ state }) => states.includes(state))
      .map(({ method, api, note }) => ({ name: method, api, note }));
  const ran = unmodelled.map(({ method, count }) => ({ name: method, api: '', note: words.calls(count) }));
  if (calls === null)
    return { unmodelled: ran, unreached: unreached.map(({ method, why }) => ({ name: method, api: '', note: why })) };
  const [solved, forced] = [inState('solved'), inState('forced')];
  return {
    observed: inState('observed'),
    ...(solved.length > 0 && { solved }),
    ...(forced.length > 0 && { forced }),
    missed: inState('unreached'),
    unmodelled: ran,
  };
}

/** `SmsManager.sendTextMessage` */
const shortApi = (api: string) => api.split('.').slice(-2).join('.');
/** `Landroid/telephony/SmsManager;->sendTextMessage` of `android.telephony.SmsManager.sendTextMessage`. */
const inSmali = (api: string) => `L${api.replaceAll('.', '/').replace(/\/([^/]*)$/, ';->$1')}`;

function Methods({ sha256, methods }: { sha256: string; methods: Partial<Record<Choice, Method[]>> }) {
  const shown = Object.keys(methods) as Choice[];
  const [choice, setChoice] = useState<Choice>(shown.find((one) => methods[one]!.length > 0) ?? shown[0]!);
  const all = methods[choice] ?? [];
  const filtered = useFilter(all, methodText);
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(words.choices[choice])}>
        <Segments
          label={words.choice}
          value={choice}
          onChange={setChoice}
          labels={words.choices}
          shown={shown}
          countOf={(one) => methods[one]?.length}
        />
        <SaveCsv
          fileName={`${fileNameOf(sha256, choice)}.csv`}
          head={['method', 'calls', 'note']}
          items={filtered.shown}
          row={({ name, api, note }) => [name, api, note]}
        />
      </FilterBar>
      <ListRows
        key={`${choice} ${filtered.applied}`}
        rows={filtered.shown}
        rowHeight={26}
        isMeasured
        label={words.choices[choice]}
      >
        {({ name, api, note }) => (
          <div className={styles.method}>
            {api !== '' && <HostileText value={shortApi(api)} max={240} mono />}
            {choice === 'unreached' ? (
              <CodeLink sha256={sha256} name={name} isMethod />
            ) : api === '' ? (
              <HostileText value={name} max={240} mono />
            ) : (
              <PlaceLink sha256={sha256} place={name} instruction={inSmali(api)} max={240} />
            )}
            <span className={styles.why}>
              {note.split('\n').map((line) => (
                <span key={line} className={styles.dataLine}>
                  <HostileText value={line} max={400} />
                </span>
              ))}
            </span>
          </div>
        )}
      </ListRows>
    </>
  );
}

export function CoveragePart({ sha256, coverage }: { sha256: string; coverage: Coverage }) {
  const { methods, instructions, own, limits, effort } = coverage;
  const lists = listsOf(coverage);
  const hasMethods = Object.values(lists).some(({ length }) => length > 0);
  if (methods === null && instructions === null && !hasMethods && limits.length === 0) {
    return <StatePanel icon="flask" title={dynamicTexts.empty} />;
  }
  return (
    <>
      <div className={styles.coverage}>
        {own !== null && (
          <>
            <Share name={words.ownMethods} pair={own.methods} />
            <Share name={words.ownInstructions} pair={own.instructions} />
          </>
        )}
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
      {hasMethods && <Methods sha256={sha256} methods={lists} />}
    </>
  );
}
