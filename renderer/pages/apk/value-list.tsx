// A long list of values with the places they stand at: filtered, copied, drawn as far as seen. Knows nothing of their kind.
import type { ReactNode } from 'react';
import { fileNameOf } from '../../components/file/save-file.ts';
import { StatePanel } from '../../components/page/state-panel.tsx';
import { placeName } from '../../components/place/place-address.ts';
import { PlaceLink } from '../../components/place/place-link.tsx';
import { FilterBar } from '../../components/table/filter-bar.tsx';
import { SaveCsv } from '../../components/table/save-csv.tsx';
import { useFilter } from '../../components/table/use-filter.ts';
import { ListRows } from '../../components/table/virtual-rows.tsx';
import { CopyAll } from '../../components/text/copy-all.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import shared from './parts.module.css';
import { usesTexts } from './texts.ts';
import styles from './value-list.module.css';

export interface PlacedValue {
  value: string;
  where: readonly string[];
}

const placesShown = 3;
/** Characters of a value in the name of the button that copies it. */
const namedInCopy = 80;
/** Places are found as they are shown and as the report writes them. */
const textOf = ({ value, where }: PlacedValue) => `${value} ${where.map(placeName).join(' ')} ${where.join(' ')}`;

interface ValueListProps {
  sha256: string;
  label: string;
  values: readonly PlacedValue[];
  none: string;
  children?: ReactNode;
}

export function ValueList({ sha256, label, values, none, children }: ValueListProps) {
  const filtered = useFilter(values, textOf);
  const { shown, applied } = filtered;
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(label)}>
        {children}
        <CopyAll
          text={() => shown.map(({ value }) => value).join('\n')}
          label={texts.filter.copyShown}
          isEmpty={shown.length === 0}
        />
        <SaveCsv
          fileName={`${fileNameOf(sha256, label)}.csv`}
          head={['value', 'where']}
          items={shown}
          row={({ value, where }) => [value, where.join(' ')]}
        />
      </FilterBar>
      {values.length === 0 ? (
        <StatePanel icon="search" title={none} />
      ) : (
        <ListRows key={applied} rows={shown} rowHeight={30} isMeasured label={label}>
          {({ value, where }) => (
            <div className={styles.valueLine}>
              <CopyButton text={value} what={visibleString(value, namedInCopy)} />
              <span>
                <HostileText value={value} max={400} mono />
              </span>
              <span className={styles.places} title={usesTexts.count(where.length)}>
                {where.slice(0, placesShown).map((place) => (
                  <PlaceLink key={place} sha256={sha256} place={place} max={120} />
                ))}
                {where.length > placesShown && (
                  <span className={shared.faint}>{usesTexts.more(where.length - placesShown)}</span>
                )}
              </span>
            </div>
          )}
        </ListRows>
      )}
    </>
  );
}
