// Who uses a piece of code, or what it uses. Knows places, not how one gets there.
import { ActionIcon } from '@mantine/core';
import { useMemo } from 'react';
import type { CodePlace } from '../../../server/contract/exploration.ts';
import { useReferences } from '../../api/apk-queries.ts';
import { className } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { useMoreAtEnd } from '../../components/page.tsx';
import { Segments } from '../../components/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import styles from './code.module.css';

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
  const onRange = useMoreAtEnd(pages, places.length);
  return (
    <div className={styles.references} data-testid="references">
      <div className={styles.referencesHead}>
        {isCode && (
          <Segments
            label={texts.code.direction}
            value={direction}
            onChange={onDirection}
            segments={[
              { value: 'callers', label: texts.code.callers },
              { value: 'callees', label: texts.code.callees },
            ]}
          />
        )}
        {!isCode && <b>{texts.code.callers}</b>}
        <span className={styles.referencesOf}>
          <HostileText value={of.startsWith('"') ? `${of}"` : of} max={260} mono isFixed />
        </span>
        <span className="tabular" role="status">
          {count === undefined ? '' : formatCount(count)}
        </span>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.code.closeReferences} onClick={onClose}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {pages.isPending ? (
        <LoadingPanel />
      ) : pages.isError ? (
        <ErrorPanel error={pages.error} />
      ) : places.length === 0 ? (
        <StatePanel icon="search" title={direction === 'callers' ? texts.code.noReferences : texts.code.noCallees} />
      ) : (
        <VirtualRows
          key={`${of} ${direction}`}
          count={places.length}
          rowHeight={24}
          label={texts.code.referencesOf}
          isNavigable
          onRange={onRange}
        >
          {(index) => {
            const place = places[index];
            if (place === undefined) return null;
            const isCaller = direction === 'callers';
            return (
              <button
                type="button"
                className={styles.reference}
                data-testid="code-place"
                onClick={() => (isCaller || place.kind === 'string' ? onPlace(place) : onTarget(place.target))}
              >
                <code className={styles.opcode}>{place.opcode}</code>
                {isCaller ? (
                  <span className={styles.oneLine}>
                    <HostileText value={className(place.class)} max={160} mono isFixed />
                    {place.method !== '' && (
                      <b>
                        .<HostileText value={place.method} max={200} mono isFixed />
                      </b>
                    )}
                  </span>
                ) : (
                  <span className={styles.oneLine}>
                    <HostileText value={place.target} max={300} mono isFixed />
                  </span>
                )}
              </button>
            );
          }}
        </VirtualRows>
      )}
    </div>
  );
}
