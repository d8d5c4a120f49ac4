// The catalogue: every APK, newest first, as one list. Knows rows by index, not how they are fetched.
import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { formatCount } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../components/virtual-rows.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { UploadButton } from '../../shell/upload-button.tsx';
import { texts } from '../../texts.ts';
import styles from './catalogue.module.css';
import { CatalogueRow } from './catalogue-row.tsx';
import { SearchFault } from './search-fault.tsx';
import { useCatalogue } from './use-catalogue.ts';

/** Pixels; `catalogue.module.css` draws rows of the same height. */
const rowHeight = 38;

/** Where the reader was, by search: coming back from an APK must not begin at the top again. */
const chosenBySearch = new Map<string, number>();
const firstInViewBySearch = new Map<string, number>();

function FirstSteps() {
  return (
    <StatePanel icon="app" title={texts.catalogue.emptyTitle} action={<UploadButton />}>
      <p>{texts.catalogue.emptyText}</p>
      <ul className={styles.steps}>
        {texts.catalogue.firstSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </StatePanel>
  );
}

function CatalogueList({ search }: { search: string }) {
  const navigate = useNavigate();
  const catalogue = useCatalogue(search);
  const list = useRef<VirtualRowsHandle>(null);
  const [chosen, setChosen] = useState(chosenBySearch.get(search) ?? -1);
  const { count, rowAt, onRange: onCatalogueRange } = catalogue;
  const onRange = useCallback(
    (first: number, last: number) => {
      firstInViewBySearch.set(search, first);
      onCatalogueRange(first, last);
    },
    [search, onCatalogueRange],
  );

  useEffect(() => {
    document.title = search === '' ? texts.title(texts.shell.catalogue) : texts.title(search);
  }, [search]);

  const choose = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(count - 1, index));
      chosenBySearch.set(search, next);
      setChosen(next);
      list.current?.scrollToRow(next);
    },
    [count, search],
  );
  const open = (index: number) => {
    const apk = rowAt(index);
    if (apk !== undefined) void navigate(`/apks/${apk.sha256}`);
  };
  const { list: group } = texts.shortcuts;
  useShortcut(group, ['j', 'ArrowDown'], texts.shortcuts.next, () => choose(chosen + 1));
  useShortcut(group, ['k', 'ArrowUp'], texts.shortcuts.previous, () => choose(chosen - 1));
  useShortcut(group, ['g g', 'Home'], texts.shortcuts.first, () => choose(0));
  useShortcut(group, ['G', 'End'], texts.shortcuts.last, () => choose(count - 1));
  useShortcut(group, ['PageDown'], texts.shortcuts.pageDown, () => choose(chosen + 20));
  useShortcut(group, ['PageUp'], texts.shortcuts.pageUp, () => choose(chosen - 20));
  useShortcut(group, ['Enter', 'o'], texts.shortcuts.open, () => open(chosen));

  const row = useCallback(
    (index: number) => <CatalogueRow apk={rowAt(index)} index={index} isChosen={index === chosen} />,
    [rowAt, chosen],
  );

  const { error } = catalogue;
  if (error instanceof ApiError && error.status === 400) return <SearchFault search={search} fault={error} />;
  if (catalogue.isLoading) return <LoadingPanel label={texts.catalogue.loading} />;
  if (error !== null && count === 0) return <ErrorPanel error={error} onRetry={catalogue.retry} />;
  if (count === 0) {
    if (search === '') return <FirstSteps />;
    return (
      <StatePanel
        icon="search"
        title={texts.catalogue.nothingFound}
        action={
          <Button variant="default" onClick={() => void navigate('/catalogue')}>
            {texts.search.clear}
          </Button>
        }
      >
        {texts.catalogue.nothingFoundText}
      </StatePanel>
    );
  }
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1>{search === '' ? texts.shell.catalogue : texts.search.results}</h1>
        <span className={`${styles.count} tabular`} data-testid="catalogue-count">
          {texts.catalogue.count(formatCount(count), count)}
        </span>
        {catalogue.arrived > 0 && (
          <Button
            size="compact-sm"
            leftSection={<Icon name="up" size={12} />}
            onClick={() => {
              catalogue.showArrived();
              list.current?.scrollToTop();
            }}
          >
            {texts.catalogue.arrived(catalogue.arrived)}
          </Button>
        )}
        {error !== null && (
          <span role="alert" className={styles.fault}>
            {error.message}
            <Button size="compact-sm" variant="default" onClick={catalogue.retry}>
              {texts.state.retry}
            </Button>
          </span>
        )}
      </div>
      <div className={`${styles.grid} ${styles.head}`} aria-hidden="true">
        {texts.catalogue.columns.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </div>
      <VirtualRows
        count={count}
        rowHeight={rowHeight}
        label={texts.shell.catalogue}
        initialOffset={(firstInViewBySearch.get(search) ?? 0) * rowHeight}
        onRange={onRange}
        handle={list}
      >
        {row}
      </VirtualRows>
    </div>
  );
}

export function Component() {
  const [parameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  return <CatalogueList key={search} search={search} />;
}
