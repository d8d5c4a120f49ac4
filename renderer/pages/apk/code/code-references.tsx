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
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { CallGraphPicture } from './call-graph.tsx';
import styles from './code.module.css';
import type { CodeState } from './code-address.ts';
import { codeTexts } from './texts.ts';

interface CodeReferencesProps {
  sha256: string;
  of: string;
  direction: CodeState['direction'];
  steps: number;
  onDirection: (direction: CodeState['direction']) => void;
  onSteps: (steps: number) => void;
  /** Has the graph be that of another method. */
  onMiddle: (method: string) => void;
  onPlace: (place: CodePlace) => void;
  onTarget: (target: string) => void;
  onClose: () => void;
}

const stepLabels = { '1': '1', '2': '2', '3': '3' } as const;

type ListProps = Pick<CodeReferencesProps, 'sha256' | 'of' | 'onPlace' | 'onTarget'> & {
  direction: 'callers' | 'callees';
};

function ReferenceList({ sha256, of, direction, onPlace, onTarget }: ListProps) {
  const pages = useReferences(sha256, of, direction);
  const places = useMemo(() => pages.data?.pages.flatMap(({ results }) => results) ?? [], [pages.data]);
  const count = pages.data?.pages[0]?.count;
  if (!pages.isSuccess) return <QueryState query={pages} />;
  if (places.length === 0)
    return <StatePanel icon="search" title={direction === 'callers' ? codeTexts.noReferences : codeTexts.noCallees} />;
  return (
    <>
      <p className={styles.count} role="status">
        {codeTexts.uses(count ?? 0)}
      </p>
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
    </>
  );
}

export function CodeReferences(props: CodeReferencesProps) {
  const { sha256, of, direction, steps, onDirection, onSteps, onMiddle, onTarget, onClose } = props;
  const isCode = !of.startsWith('"') && !/;->[^(]*:/.test(of);
  const isMethod = isCode && of.includes(';->');
  const isGraph = isMethod && direction === 'graph';
  return (
    <div className={styles.references} data-graph={isGraph || undefined} data-testid="references">
      <div className={styles.referencesHead}>
        {isCode ? (
          <Segments
            label={codeTexts.direction}
            value={direction}
            onChange={onDirection}
            labels={codeTexts.directions}
            shown={isMethod ? ['callers', 'callees', 'graph'] : ['callers', 'callees']}
          />
        ) : (
          <b>{codeTexts.directions.callers}</b>
        )}
        {isGraph && (
          <Segments
            label={codeTexts.graph.steps}
            value={String(steps) as keyof typeof stepLabels}
            onChange={(chosen) => onSteps(Number(chosen))}
            labels={stepLabels}
          />
        )}
        <span className={styles.referencesOf}>
          <HostileText value={of.startsWith('"') ? `${of}"` : of} max={260} mono isFixed />
        </span>
        <ActionIcon aria-label={codeTexts.closeReferences} onClick={onClose}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </div>
      {isGraph ? (
        <CallGraphPicture sha256={sha256} of={of} steps={steps} onOpen={onTarget} onMiddle={onMiddle} />
      ) : (
        <ReferenceList {...props} direction={direction === 'callees' ? 'callees' : 'callers'} />
      )}
    </div>
  );
}
