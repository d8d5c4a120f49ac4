// The catalogue: every APK, newest first, as one list. Knows rows by index, not how they are fetched.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { type CSSProperties, useCallback, useMemo, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { namesContent } from '../../api/content-queries.ts';
import type { CatalogueList } from '../../api/queries.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { usePageTitle } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { queueTexts } from '../../components/queue/texts.ts';
import { useQueue, worstFirst } from '../../components/queue/use-queue.ts';
import { OutdatedAnalyses } from '../../components/status/outdated-analyses.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../components/table/virtual-rows.tsx';
import { searchTexts } from '../../shell/search/texts.ts';
import { UploadButton } from '../../shell/uploads/upload-button.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { BulkBar } from './bulk-bar.tsx';
import styles from './catalogue.module.css';
import { CatalogueRow } from './catalogue-row.tsx';
import { ColumnHeads, ColumnMenu } from './column-heads.tsx';
import { columns, useCatalogueView } from './columns.tsx';
import { ContentHits } from './content-hits.tsx';
import { FacetsPanel } from './facets-panel.tsx';
import { SearchFault } from './search-fault.tsx';
import { catalogueTexts, facetsTexts } from './texts.ts';
import { type Catalogue, useCatalogue } from './use-catalogue.ts';
import { useChoice, useChoiceKeys } from './use-choice.ts';
import { usePlace, usePlaceKeys } from './use-place.ts';

/** Pixels; `catalogue.module.css` draws rows of the same height. */
const rowHeight = 38;

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

/** What stands in the place of rows where there are none. */
function NoRows({ search, catalogue: { error, isLoading, retry } }: { search: string; catalogue: Catalogue }) {
  const navigate = useNavigate();
  if (isLoading) return <LoadingPanel label={catalogueTexts.loading} />;
  if (error !== null) return <ErrorPanel error={error} onRetry={retry} isPage />;
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
      <p>{catalogueTexts.nothingFoundText}</p>
      <OutdatedAnalyses search={search} />
    </StatePanel>
  );
}

interface CatalogueBarProps {
  list: CatalogueList;
  catalogue: Catalogue;
  /** The rows that arrived are shown: at the top. */
  onArrived: () => void;
}

function CatalogueBar({
  list: { search, ordering },
  catalogue: { count, arrived, showArrived, error, retry },
  onArrived,
}: CatalogueBarProps) {
  const { hasFacets, toggleFacets } = useCatalogueView();
  const navigate = useNavigate();
  const queue = useQueue();
  const isWorstFirst = ordering === worstFirst;
  const order = () => void navigate(searchAddress(search, isWorstFirst ? '' : worstFirst), { replace: true });
  const judge = () => queue.start(search);
  useShortcut(texts.shortcuts.list, ['w'], catalogueTexts.worstFirst, order);
  useShortcut(texts.shortcuts.list, ['q'], queueTexts.start, judge);
  const facetsLabel = hasFacets ? facetsTexts.hide : facetsTexts.show;
  return (
    <div className={styles.bar}>
      <Tooltip label={facetsLabel}>
        <ActionIcon
          variant={hasFacets ? 'light' : 'subtle'}
          color={hasFacets ? 'accent' : 'gray'}
          aria-label={facetsLabel}
          aria-pressed={hasFacets}
          onClick={toggleFacets}
        >
          <Icon name="filter" size={15} />
        </ActionIcon>
      </Tooltip>
      <h1>{search === '' ? catalogueTexts.title : searchTexts.results}</h1>
      <span className={`${styles.count} tabular`} data-testid="catalogue-count">
        {catalogueTexts.count(count)}
      </span>
      {arrived > 0 && (
        <Button
          size="compact-sm"
          leftSection={<Icon name="up" size={12} />}
          onClick={() => {
            showArrived();
            onArrived();
          }}
        >
          {catalogueTexts.arrived(arrived)}
        </Button>
      )}
      {error !== null && (
        <span role="alert" className={styles.fault}>
          {error.message}
          <Button size="compact-sm" variant="default" onClick={retry}>
            {texts.state.retry}
          </Button>
        </span>
      )}
      <span className={styles.spacer} />
      <Button
        size="compact-sm"
        variant={isWorstFirst ? 'light' : 'default'}
        aria-pressed={isWorstFirst}
        title={catalogueTexts.worstFirstHint}
        onClick={order}
      >
        {catalogueTexts.worstFirst}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        title={queueTexts.startHint}
        loading={queue.isPending}
        onClick={judge}
      >
        {queueTexts.start}
      </Button>
      <IndicatorMenu of={{ search }} fileName="indicators" look="compact" />
      <ColumnMenu />
    </div>
  );
}

function CatalogueRows({ shownList }: { shownList: CatalogueList }) {
  const { search, ordering } = shownList;
  const key = searchAddress(search, ordering);
  const navigate = useNavigate();
  const catalogue = useCatalogue(shownList);
  const view = useCatalogueView();
  const list = useRef<VirtualRowsHandle>(null);
  const { choice, chooseApk, chooseAll, chooseNone } = useChoice(catalogue, shownList);
  const { current, firstInView, onRange, moveTo } = usePlace(key, catalogue, list);
  const { count, rowAt, error } = catalogue;
  usePageTitle(search === '' ? catalogueTexts.title : search);
  useChoiceKeys({ choice, chooseAll, chooseNone, toggle: () => chooseApk(Math.max(0, current), false) });
  usePlaceKeys({ current, count, rowAt, moveTo });
  useShortcut(texts.shortcuts.list, ['f'], facetsTexts.shortcut, view.toggleFacets);
  const row = useCallback(
    (index: number) => {
      const apk = rowAt(index);
      return (
        <CatalogueRow
          apk={apk}
          index={index}
          shown={view.chosen}
          isCurrent={index === current}
          isChosen={choice.kind === 'all' || (apk !== undefined && choice.apks.has(apk.sha256))}
          onChoose={chooseApk}
        />
      );
    },
    [rowAt, current, view.chosen, choice, chooseApk],
  );
  const template = useMemo(
    () => ({ '--columns': `26px ${view.chosen.map((name) => columns[name].width).join(' ')}` }) as CSSProperties,
    [view.chosen],
  );
  if (error instanceof ApiError && error.status === 400) return <SearchFault search={search} fault={error} />;
  if (count === 0) return <NoRows search={search} catalogue={catalogue} />;
  return (
    <div className={styles.page} style={template}>
      <CatalogueBar list={shownList} catalogue={catalogue} onArrived={() => list.current?.scrollToTop()} />
      <OutdatedAnalyses search={search} />
      {(choice.kind === 'all' || choice.apks.size > 0) && (
        <BulkBar choice={choice} found={count} onAll={chooseAll} onNone={chooseNone} />
      )}
      <div className={styles.body}>
        {view.hasFacets && (
          <FacetsPanel search={search} onNarrow={(narrowed) => void navigate(searchAddress(narrowed, ordering))} />
        )}
        <div className={styles.listing} data-testid="catalogue-listing">
          <ColumnHeads list={shownList} />
          <VirtualRows
            count={count}
            rowHeight={rowHeight}
            label={catalogueTexts.title}
            initialOffset={firstInView * rowHeight}
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
  if (namesContent(search)) return <ContentHits key={search} search={search} />;
  return <CatalogueRows key={`${ordering} ${search}`} shownList={list} />;
}
