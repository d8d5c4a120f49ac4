// What an import of a package changes, file by file and line by line, and a preview that waits for a decision. Knows no form.
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ComparedLines } from '../../../server/contract/engine/comparison.ts';
import type { PackageChange } from '../../../server/contract/rules/rule-package.ts';
import { useDiscardPreviewed, useImportPreviewed, usePackagePreview } from '../../api/rule-package-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { QueryState } from '../../components/page/state-panel.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import own from './packages.module.css';
import { packagesTexts as words } from './packages-texts.ts';

const signs = { same: ' ', removed: '−', added: '+' } as const;

/** Lines of a file as they were and as they would be, with a few unchanged ones around. */
function ChangedLines({ path, lines: { hunks } }: { path: string; lines: ComparedLines }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={own.lines} tabIndex={0} aria-label={words.linesOf(visibleString(path, 80))}>
      {hunks.map(({ first_start: start, rows }) => (
        <pre key={start}>
          {rows.flatMap(({ state, first, second }, at) => {
            const sides =
              state === 'same'
                ? [['same', first] as const]
                : ([
                    ['removed', first],
                    ['added', second],
                  ] as const);
            return sides.map(([side, text]) =>
              text === null ? null : (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines stay where they are
                <code key={`${at} ${side}`} data-state={side}>{`${signs[side]} ${visibleString(text, 400)}`}</code>
              ),
            );
          })}
        </pre>
      ))}
    </section>
  );
}

interface ChangeListProps {
  title: string;
  items: readonly { path: string; reason?: string; lines?: ComparedLines }[];
}

function ChangeList({ title, items }: ChangeListProps) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3 className={own.heading}>
        {title} <span className="tabular">{formatCount(items.length)}</span>
      </h3>
      <ul className={own.paths}>
        {items.map(({ path, reason, lines }) => (
          <li key={path}>
            {lines === undefined ? (
              <HostileText value={path} max={160} isFixed />
            ) : (
              <details>
                <summary>
                  <HostileText value={path} max={160} isFixed />{' '}
                  <span className={styles.aside}>{words.lines(lines)}</span>
                </summary>
                <ChangedLines path={path} lines={lines} />
              </details>
            )}
            {reason !== undefined && (
              <div className={styles.aside}>
                <HostileText value={reason} max={300} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PackageChangesProps {
  change: PackageChange;
  /** Of changed files, by their paths. */
  differences?: readonly { path: string; lines: ComparedLines }[];
}

export function PackageChanges({ change, differences = [] }: PackageChangesProps) {
  const { changes } = words;
  const named = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const changed = change.changed.map((path) => ({ path, ...differences.find((one) => one.path === path) }));
  return (
    <>
      <ChangeList title={changes.refused} items={change.refused} />
      <ChangeList title={changes.changed} items={changed} />
      <ChangeList title={changes.added} items={named(change.added)} />
      <ChangeList title={changes.removed} items={named(change.removed)} />
      {change.left_out > 0 && <p>{words.leftOut(change.left_out)}</p>}
    </>
  );
}

/** A preview that is imported or discarded. @param id of the job that found it */
export function WaitingPreview({ id, source }: { id: string; source: string }) {
  const preview = usePackagePreview(id);
  const accept = useImportPreviewed();
  const discard = useDiscardPreviewed();
  const [isOpen, setOpen] = useState(false);
  if (!preview.isSuccess) return <QueryState query={preview} />;
  const { name, version, is_new: isNew, change, differences } = preview.data;
  const shown = visibleString(`${name} ${version}`.trim(), 80);
  const { added, changed, removed, refused } = change;
  const counts = { added: added.length, changed: changed.length, removed: removed.length, refused: refused.length };
  const isPending = accept.isPending || discard.isPending;
  const buttons = (
    <>
      <Button size="compact-sm" disabled={isPending} onClick={() => accept.mutate(id)}>
        {isNew ? words.import : words.update}
      </Button>
      <Button size="compact-sm" variant="default" disabled={isPending} onClick={() => discard.mutate(id)}>
        {words.discard}
      </Button>
    </>
  );
  return (
    <div className={styles.actions} data-testid="package-preview">
      <span>
        <b>{shown}</b> {isNew ? words.newPackage : words.wouldChange}{' '}
        <span className="tabular">{words.change(counts)}</span>{' '}
        <span className={styles.aside}>
          <HostileText value={source} max={60} isFixed />
        </span>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {words.seeChanges}
      </Button>
      {buttons}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={words.previewTitle(shown)} size="xl">
        <PackageChanges change={change} differences={differences} />
        <div className={`${styles.actions} ${own.decision}`}>{buttons}</div>
      </Modal>
    </div>
  );
}
