// The catalogue: every APK, newest first, as one list. Knows rows by index, not how they are fetched.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { type CSSProperties, useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { ApiError } from '../../api/client.ts';
import type { CatalogueList } from '../../api/queries.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { VirtualRows, type VirtualRowsHandle } from '../../components/table/virtual-rows.tsx';
import { searchTexts } from '../../shell/search/texts.ts';
import { UploadButton } from '../../shell/uploads/upload-button.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { compareTexts } from '../compare/texts.ts';
import { BulkBar, type Choice, comparisonOf } from './bulk-bar.tsx';
import styles from './catalogue.module.css';
import { CatalogueRow } from './catalogue-row.tsx';
import { type ColumnName, columnNames, columns, useCatalogueView } from './columns.tsx';
import { FacetsPanel } from './facets-panel.tsx';
import { SearchFault } from './search-fault.tsx';
import { bulkTexts, catalogueTexts, columnsTexts, facetsTexts } from './texts.ts';
import { useCatalogue } from './use-catalogue.ts';

/** Pixels; `catalogue.module.css` draws rows of the same height. */
const rowHeight = 38;

/** Where the reader was, by search: coming back from an APK must not begin at the top again. */
const chosenBySearch = new Map<string, number>();
const firstInViewBySearch = new Map<string, number>();

function FirstSteps() {
  return (
    <StatePanel icon="app" title={catalogueTexts.emptyTitle} isPage action={<UploadButton />}>
      <p>{catalogueTexts.emptyText}</p>
      <ul className={styles.steps}>
        {catalogueTexts.firstSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </StatePanel>
  );
}

/** The name of an app stands in every row. */
const choosable = columnNames.filter((name) => name !== 'app');

function ColumnMenu() {
  const { chosen, toggle } = useCatalogueView();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={columnsTexts.choose} title={columnsTexts.choose}>
          <Icon name="settings" size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choosable.map((name) => (
          <Menu.Item
            key={name}
            leftSection={chosen.includes(name) ? <Icon name="check" size={14} /> : <span className={styles.noCheck} />}
            onClick={() => toggle(name)}
          >
            {columnsTexts.labels[name]}
            {chosen.includes(name) && <span className="visually-hidden"> {columnsTexts.shown}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The head of a column; it sorts where the server can. */
function ColumnHead({ name, list }: { name: ColumnName; list: CatalogueList }) {
  const navigate = useNavigate();
  const { sort, isNumber } = columns[name];
  const label = columnsTexts.labels[name];
  const ordering = list.ordering === '' ? '-created_at' : list.ordering;
  const isSorted = sort !== undefined && ordering.replace(/^-/, '') === sort;
  const isFalling = ordering.startsWith('-');
  const className = isNumber === true ? styles.numberHead : undefined;
  if (sort === undefined) return <span className={className}>{label}</span>;
  // Numbers and times begin with the largest, names with the first letter.
  const next = isSorted
    ? `${isFalling ? '' : '-'}${sort}`
    : `${isNumber === true || sort.startsWith('is_') ? '-' : ''}${sort}`;
  return (
    <button
      type="button"
      className={`${styles.sort} ${className ?? ''}`}
      aria-label={columnsTexts.sort(label, isSorted, isFalling)}
      onClick={() =>
        void navigate(searchAddress(list.search, next === '-created_at' ? '' : next), {
          replace: true,
        })
      }
    >
      {label}
      {isSorted && <span aria-hidden="true">{isFalling ? ' ↓' : ' ↑'}</span>}
    </button>
  );
}

function CatalogueRows({ shownList }: { shownList: CatalogueList }) {
  const { search } = shownList;
  const key = searchAddress(shownList.search, shownList.ordering);
  const navigate = useNavigate();
  const catalogue = useCatalogue(shownList);
  const view = useCatalogueView();
  const list = useRef<VirtualRowsHandle>(null);
  const [chosen, setChosen] = useState(chosenBySearch.get(key) ?? -1);
  const [choice, setChoice] = useState<Choice>({ kind: 'some', apks: new Map() });
  const lastChosen = useRef(-1);
  const { count, rowAt, onRange: onCatalogueRange } = catalogue;
  const onRange = useCallback(
    (first: number, last: number) => {
      firstInViewBySearch.set(key, first);
      onCatalogueRange(first, last);
    },
    [key, onCatalogueRange],
  );

  usePageTitle(search === '' ? catalogueTexts.title : search);

  const choose = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(count - 1, index));
      chosenBySearch.set(key, next);
      setChosen(next);
      list.current?.scrollToRow(next);
    },
    [count, key],
  );
  const open = (index: number) => {
    const apk = rowAt(index);
    if (apk !== undefined) void navigate(`/apks/${apk.sha256}`);
  };
  const chooseApk = useCallback(
    (index: number, isRange: boolean) => {
      const from = isRange && lastChosen.current >= 0 ? Math.min(lastChosen.current, index) : index;
      const to = isRange && lastChosen.current >= 0 ? Math.max(lastChosen.current, index) : index;
      lastChosen.current = index;
      setChoice((known) => {
        const apks = new Map(known.kind === 'some' ? known.apks : []);
        const target = rowAt(index);
        const isAdding = known.kind === 'all' || target === undefined || !apks.has(target.sha256);
        for (let at = from; at <= to; at++) {
          const apk: Apk | undefined = rowAt(at);
          if (apk === undefined) continue;
          if (isAdding) apks.set(apk.sha256, apk);
          else apks.delete(apk.sha256);
        }
        return { kind: 'some', apks };
      });
    },
    [rowAt],
  );
  const chooseNone = () => setChoice({ kind: 'some', apks: new Map() });
  const chooseAll = () => setChoice({ kind: 'all', list: shownList, count });
  const hasChoice = choice.kind === 'all' || choice.apks.size > 0;
  const { list: group } = texts.shortcuts;
  useShortcut(group, ['x'], bulkTexts.toggle, () => chooseApk(Math.max(0, chosen), false));
  useShortcut(group, ['*'], bulkTexts.chooseAll, chooseAll);
  useShortcut(group, ['Escape'], bulkTexts.none, chooseNone);
  useShortcut(group, ['c'], compareTexts.shortcut, () => {
    const comparison = comparisonOf(choice);
    if (comparison !== null) void navigate(comparison);
  });
  useShortcut(group, ['f'], facetsTexts.shortcut, view.toggleFacets);
  useShortcut(group, ['j', 'ArrowDown'], texts.shortcuts.next, () => choose(chosen + 1));
  useShortcut(group, ['k', 'ArrowUp'], texts.shortcuts.previous, () => choose(chosen - 1));
  useShortcut(group, ['g g', 'Home'], texts.shortcuts.first, () => choose(0));
  useShortcut(group, ['G', 'End'], texts.shortcuts.last, () => choose(count - 1));
  useShortcut(group, ['PageDown'], texts.shortcuts.twentyOn, () => choose(chosen + 20));
  useShortcut(group, ['PageUp'], texts.shortcuts.twentyBack, () => choose(chosen - 20));
  useShortcut(group, ['Enter', 'o'], texts.shortcuts.open, () => open(chosen));

  const row = useCallback(
    (index: number) => {
      const apk = rowAt(index);
      return (
        <CatalogueRow
          apk={apk}
          index={index}
          shown={view.chosen}
          isCurrent={index === chosen}
          isChosen={choice.kind === 'all' || (apk !== undefined && choice.apks.has(apk.sha256))}
          onChoose={chooseApk}
        />
      );
    },
    [rowAt, chosen, view.chosen, choice, chooseApk],
  );
  const template = useMemo(
    () => ({ '--columns': `26px ${view.chosen.map((name) => columns[name].width).join(' ')}` }) as CSSProperties,
    [view.chosen],
  );

  const { error } = catalogue;
  if (error instanceof ApiError && error.status === 400) return <SearchFault search={search} fault={error} />;
  if (catalogue.isLoading) return <LoadingPanel label={catalogueTexts.loading} />;
  if (error !== null && count === 0) return <ErrorPanel error={error} onRetry={catalogue.retry} isPage />;
  if (count === 0) {
    if (search === '') return <FirstSteps />;
    return (
      <StatePanel
        icon="search"
        title={catalogueTexts.nothingFound}
        isPage
        action={
          <Button variant="default" onClick={() => void navigate('/catalogue')}>
            {searchTexts.clear}
          </Button>
        }
      >
        {catalogueTexts.nothingFoundText}
      </StatePanel>
    );
  }
  const facetsLabel = view.hasFacets ? facetsTexts.hide : facetsTexts.show;
  return (
    <div className={styles.page} style={template}>
      <div className={styles.bar}>
        <Tooltip label={facetsLabel}>
          <ActionIcon
            variant={view.hasFacets ? 'light' : 'subtle'}
            color={view.hasFacets ? 'accent' : 'gray'}
            aria-label={facetsLabel}
            aria-pressed={view.hasFacets}
            onClick={view.toggleFacets}
          >
            <Icon name="filter" size={15} />
          </ActionIcon>
        </Tooltip>
        <h1>{search === '' ? catalogueTexts.title : searchTexts.results}</h1>
        <span className={`${styles.count} tabular`} data-testid="catalogue-count">
          {catalogueTexts.count(count)}
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
            {catalogueTexts.arrived(catalogue.arrived)}
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
        <span className={styles.spacer} />
        <ColumnMenu />
      </div>
      {hasChoice && <BulkBar choice={choice} found={count} onAll={chooseAll} onNone={chooseNone} />}
      <div className={styles.body}>
        {view.hasFacets && (
          <FacetsPanel
            search={search}
            onNarrow={(narrowed) => void navigate(searchAddress(narrowed, shownList.ordering))}
          />
        )}
        <div className={styles.listing} data-testid="catalogue-listing">
          <div className={`${styles.line} ${styles.head}`}>
            <span />
            <span className={styles.grid}>
              <span />
              {view.chosen.map((name) => (
                <ColumnHead key={name} name={name} list={shownList} />
              ))}
            </span>
          </div>
          <VirtualRows
            count={count}
            rowHeight={rowHeight}
            label={catalogueTexts.title}
            initialOffset={(firstInViewBySearch.get(key) ?? 0) * rowHeight}
            onRange={onRange}
            handle={list}
          >
            {row}
          </VirtualRows>
        </div>
      </div>
    </div>
  );
}

export function Component() {
  const [parameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const ordering = parameters.get('ordering') ?? '';
  const list = useMemo(() => ({ search, ordering }), [search, ordering]);
  return <CatalogueRows key={`${ordering} ${search}`} shownList={list} />;
}
