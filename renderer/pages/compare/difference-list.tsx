// One part of a comparison as a list: what each side has, filtered by kind of difference and by text.
// Knows differences, not what they are of.
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Segments } from '../../components/page/segments.tsx';
import { StatePanel } from '../../components/page/state-panel.tsx';
import { FilterBar } from '../../components/table/filter-bar.tsx';
import { SaveCsv } from '../../components/table/save-csv.tsx';
import { useFilter } from '../../components/table/use-filter.ts';
import { ListRows } from '../../components/table/virtual-rows.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './compare.module.css';
import type { CodePair, Difference, DifferenceState, Entry, Section } from './differences.ts';
import { compareTexts as words } from './texts.ts';
import type { SideName } from './use-comparison.ts';

type Choice = keyof typeof words.choices;
const choices = Object.keys(words.choices) as Choice[];

const tones: Record<DifferenceState, Tone> = { first: 'medium', second: 'info', changed: 'high', moved: 'low' };

const isOf = (choice: Choice, { state }: Difference) => choice === 'differences' || state === choice;

const textOf = ({ name, first, second }: Difference) =>
  `${name} ${first?.text ?? ''} ${second?.name ?? ''} ${second?.text ?? ''}`;

/** What one side has of a line; it leads to where that is shown. */
function Cell({ side, entry, name }: { side: SideName; entry: Entry | null; name: string }) {
  const text = entry === null ? words.missing : entry.text || words.present;
  const content = <HostileText value={text} max={400} mono isFixed />;
  return (
    <span className={styles.cell} data-missing={entry === null || undefined}>
      <span className={`visually-hidden ${styles.sideMark}`}>{words.sides[side]}</span>
      <span>
        {entry?.address === undefined ? content : <Link to={entry.address}>{content}</Link>}
        {entry !== null && entry.name !== name && (
          <>
            {' '}
            <HostileText value={words.moved(entry.name)} max={300} mono isFixed />
          </>
        )}
      </span>
    </span>
  );
}

interface LineProps {
  difference: Difference;
  addressOf: (code: CodePair) => string;
}

function Line({ difference: { name, state, first, second, code }, addressOf }: LineProps) {
  const shown = <HostileText value={name} max={400} mono isFixed />;
  return (
    <div className={styles.line} data-testid="difference" data-state={state}>
      <span className={styles.state}>
        <Chip tone={tones[state]}>{words.states[state]}</Chip>
      </span>
      <span>
        {code === undefined ? (
          shown
        ) : (
          <Link to={addressOf(code)} title={words.open}>
            {shown}
          </Link>
        )}
      </span>
      <Cell side="first" entry={first} name={name} />
      <Cell side="second" entry={second} name={name} />
    </div>
  );
}

/** What the other side has under another name is told with it. */
const csvOf = ({ name, state, first, second }: Difference) => [
  words.states[state],
  name,
  first?.text ?? '',
  second === null || second.name === name ? (second?.text ?? '') : `${second.name} ${second.text}`,
];

interface DifferenceListProps {
  label: string;
  section: Section;
  /** Where code is put side by side. */
  addressOf: (code: CodePair) => string;
  /** Of the file that the list is saved to. */
  fileName: string;
}

export function DifferenceList({ label, section, addressOf, fileName }: DifferenceListProps) {
  const { differences, total, same, isCut } = section;
  const [parameters, setParameters] = useSearchParams();
  const chosen = choices.find((one) => one === parameters.get('show')) ?? 'differences';
  const ofChoice = useMemo(() => differences.filter((one) => isOf(chosen, one)), [differences, chosen]);
  const filtered = useFilter(ofChoice, textOf);
  const { shown, applied } = filtered;
  const choose = (choice: Choice) =>
    setParameters(
      (before) => {
        if (choice === 'differences') before.delete('show');
        else before.set('show', choice);
        return before;
      },
      { replace: true },
    );
  const countOf = (choice: Choice) => differences.filter((one) => isOf(choice, one)).length;

  if (differences.length === 0) {
    return (
      <StatePanel icon="check" title={same === 0 ? words.nothing : words.noDifference}>
        {isCut ? words.notAll : same > 0 && words.same(same)}
      </StatePanel>
    );
  }
  return (
    <>
      <FilterBar list={filtered} label={words.filter(label)} total={chosen === 'differences' ? total : filtered.total}>
        <Segments
          label={words.choice}
          value={chosen}
          onChange={choose}
          labels={words.choices}
          shown={choices.filter((one) => one === chosen || one === 'differences' || countOf(one) > 0)}
          countOf={countOf}
        />
        <SaveCsv fileName={fileName} head={Object.values(words.columns)} items={shown} row={csvOf} />
        <span className={styles.soft}>{words.same(same)}</span>
        {isCut && (
          <span className={styles.soft}>
            {total > differences.length ? words.cut(differences.length) : words.notAll}
          </span>
        )}
      </FilterBar>
      {ofChoice.length === 0 ? (
        <StatePanel
          icon="check"
          title={words.nothingOfKind}
          action={
            <Button variant="default" onClick={() => choose('differences')}>
              {words.showAll}
            </Button>
          }
        />
      ) : (
        <>
          <div className={`${styles.line} ${styles.head}`} aria-hidden="true">
            {Object.values(words.columns).map((column) => (
              <span key={column}>{column}</span>
            ))}
          </div>
          <ListRows key={`${chosen} ${applied}`} rows={shown} rowHeight={32} isMeasured label={label}>
            {(difference) => <Line difference={difference} addressOf={addressOf} />}
          </ListRows>
        </>
      )}
    </>
  );
}
