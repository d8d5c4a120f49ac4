// What a version added and took away since the one before it. Knows one step.
import { Fragment, type ReactNode } from 'react';
import {
  type LineageChange,
  type LineagePart,
  type LineageStep,
  lineageParts,
} from '../../../../server/contract/catalogue/lineage.ts';
import { findingText } from '../../../../server/contract/findings/finding-catalogue.ts';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { versionsTexts as words } from './texts.ts';
import styles from './versions.module.css';

type Direction = 'added' | 'removed';
const signs: Record<Direction, string> = { added: '+', removed: '−' };
/** Names that are shown of each direction before the rest is unfolded. */
const shownAtFirst = 6;

const shownName = (part: LineagePart, name: string) => (part === 'findings' ? findingText(name).title : name);

function Name({ part, name, direction }: { part: LineagePart; name: string; direction: Direction }) {
  return (
    <span>
      <span className={styles[direction]} aria-hidden="true">
        {signs[direction]}{' '}
      </span>
      <span className="visually-hidden">{words[direction]} </span>
      <HostileText
        value={shownName(part, name)}
        max={160}
        mono={part !== 'findings' && part !== 'trackers' && part !== 'libraries'}
        isFixed
      />
    </span>
  );
}

function Names({ part, change, direction }: { part: LineagePart; change: LineageChange; direction: Direction }) {
  const names = change[direction];
  const count = change[`${direction}_count`];
  const named = (some: readonly string[]) =>
    some.map((name) => <Name key={name} part={part} name={name} direction={direction} />);
  return (
    <>
      {named(names.slice(0, shownAtFirst))}
      {count > shownAtFirst && (
        <details className={styles.rest}>
          <summary>
            <span className={styles[direction]} aria-hidden="true">
              {signs[direction]}{' '}
            </span>
            {words.more(count - shownAtFirst)}
          </summary>
          <div className={styles.names}>
            {named(names.slice(shownAtFirst))}
            {count > names.length && <span className={styles.soft}>{words.rest(count - names.length)}</span>}
          </div>
        </details>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const sdk = (level: number | null) => (level === null ? '–' : String(level));

/** What is a number on both sides, where it changed. */
function Numbers({ apk, previous }: { apk: LineageStep['apk']; previous: NonNullable<LineageStep['previous']> }) {
  return (
    <>
      {apk.size !== previous.size && (
        <Fact name={words.size}>{words.changed(formatSize(previous.size), formatSize(apk.size))}</Fact>
      )}
      {apk.min_sdk !== previous.min_sdk && (
        <Fact name={words.minSdk}>{words.changed(sdk(previous.min_sdk), sdk(apk.min_sdk))}</Fact>
      )}
      {apk.target_sdk !== previous.target_sdk && (
        <Fact name={words.targetSdk}>{words.changed(sdk(previous.target_sdk), sdk(apk.target_sdk))}</Fact>
      )}
    </>
  );
}

function Code({ code: { methods, added, removed, is_estimated } }: { code: NonNullable<LineageStep['code']> }) {
  return (
    <Fact name={words.ownCode}>
      {added > 0 && <span className={styles.added}>{`+ ${formatCount(added)}`}</span>}
      {removed > 0 && <span className={styles.removed}>{`− ${formatCount(removed)}`}</span>}
      <span className={styles.soft}>
        {words.methods(methods)}
        {is_estimated && `, ${words.estimated}`}
      </span>
    </Fact>
  );
}

export function VersionChanges({
  step,
  previous,
}: {
  step: LineageStep;
  previous: NonNullable<LineageStep['previous']>;
}) {
  const { apk, changes, code } = step;
  const parts = lineageParts.flatMap((part) => {
    const change = changes?.[part];
    return change === undefined || change.added_count + change.removed_count === 0 ? [] : [{ part, change }];
  });
  const hasCode = code !== null && code.added + code.removed > 0;
  const isSame = parts.length === 0 && !hasCode && changes !== null && apk.size === previous.size;
  const isRunUnevenly = apk.is_dynamic_analyzed !== previous.is_dynamic_analyzed && parts.length > 0;
  return (
    <dl className={styles.changes} data-testid="version-changes">
      <Numbers apk={apk} previous={previous} />
      {hasCode && <Code code={code} />}
      {parts.map(({ part, change }) => (
        <Fragment key={part}>
          <Fact name={words.parts[part]}>
            <Names part={part} change={change} direction="added" />
            <Names part={part} change={change} direction="removed" />
          </Fact>
        </Fragment>
      ))}
      {changes === null && <dd className={styles.wide}>{words.unread}</dd>}
      {isSame && <dd className={styles.wide}>{words.same}</dd>}
      {isRunUnevenly && (
        <dd className={`${styles.wide} ${styles.soft}`}>{apk.is_dynamic_analyzed ? words.runHere : words.runBefore}</dd>
      )}
    </dl>
  );
}
