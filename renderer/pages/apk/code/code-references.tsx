// Who uses a piece of code, or what it uses. Knows places, not how one gets there.
import { ActionIcon } from '@mantine/core';
import { useMemo } from 'react';
import type { CodePlace } from '../../../../server/contract/engine/exploration.ts';
import { useReferences } from '../../../api/apk-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { MethodName } from '../../../components/place/method-name.tsx';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import styles from './code.module.css';
import { codeTexts } from './texts.ts';

interface CodeReferencesProps {
  sha256: string;
  of: string;
  direction: 'callers' | 'callees';
  onDirection: (direction: 'callers' | 'callees') => void;
  onPlace: (place: CodePlace) => void;
  onTarget: (target: string) => void;
  onClose: () => void;
}

export function CodeReferences(props: CodeReferencesProps) {
  const { sha256, of, direction, onDirection, onPlace, onTarget, onClose } = props;
  const pages = useReferences(sha256, of, direction);
  const places = useMemo(() => pages.data?.pages.flatMap(({ results }) => results) ?? [], [pages.data]);
  const count = pages.data?.pages[0]?.count;
  const isCode = !of.startsWith('"') && !/;->[^(]*:/.test(of);
  return (
    <div className={styles.references} data-testid="references">
      <div className={styles.referencesHead}>
        {isCode && (
          <Segments
            label={codeTexts.direction}
            value={direction}
            onChange={onDirection}
            labels={codeTexts.directions}
          />
        )}
        {!isCode && <b>{codeTexts.directions.callers}</b>}
        <span className={styles.referencesOf}>
          <HostileText value={of.startsWith('"') ? `${of}"` : of} max={260} mono isFixed />
        </span>
        <span className="tabular" role="status">
          {count === undefined ? '' : formatCount(count)}
        </span>
        <ActionIcon aria-label={codeTexts.closeReferences} onClick={onClose}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {!pages.isSuccess ? (
        <QueryState query={pages} />
      ) : places.length === 0 ? (
        <StatePanel icon="search" title={direction === 'callers' ? codeTexts.noReferences : codeTexts.noCallees} />
      ) : (
        <ListRows
          key={`${of} ${direction}`}
          rows={places}
          list={pages}
          rowHeight={24}
          label={codeTexts.referencesOf}
          keys="list"
        >
          {(place) => (
            <button
              type="button"
              className={styles.reference}
              data-testid="code-place"
              onClick={() =>
                direction === 'callers' || place.kind === 'string' ? onPlace(place) : onTarget(place.target)
              }
            >
              <code className={styles.opcode}>{place.opcode}</code>
              <span className={styles.oneLine}>
                {direction === 'callers' ? (
                  <MethodName owner={place.class} method={place.method} />
                ) : (
                  <HostileText value={place.target} max={300} mono isFixed />
                )}
              </span>
            </button>
          )}
        </ListRows>
      )}
    </div>
  );
}
