// The files of an APK as a tree or a table, and the one that is chosen. Knows the list of files only.
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ArchiveEntryRecord } from '../../../../server/contract/engine/reports.ts';
import { useFiles } from '../../../api/queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../../components/page/state-panel.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { type TreeRow, TreeRows } from '../../../components/table/tree-rows.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { type FileNode, fileTree, sortedFiles, sortedFolders } from './file-tree.ts';
import { FileView } from './file-view.tsx';
import styles from './files.module.css';
import { explorerTexts, filesTexts } from './texts.ts';

interface Placed {
  entry: ArchiveEntryRecord;
  /** Place in the list. */
  index: number;
}
type Column = keyof typeof filesTexts.columns;
const columns = Object.keys(filesTexts.columns) as Column[];

const textOf = ({ entry: { name, type } }: Placed) => `${name} ${type}`;
const noFiles: readonly Placed[] = [];
const collator = new Intl.Collator('en', { numeric: true });
/** While a filter is on, folders stand open as long as there are no more files than this. */
const maxOpened = 500;

const comparisons: Record<Column, (a: ArchiveEntryRecord, b: ArchiveEntryRecord) => number> = {
  name: (a, b) => collator.compare(a.name, b.name),
  type: (a, b) => collator.compare(a.type, b.type),
  size: (a, b) => b.size - a.size,
  compressed: (a, b) => b.compressed_size - a.compressed_size,
  method: (a, b) => collator.compare(a.method, b.method),
  crc32: (a, b) => collator.compare(a.crc32, b.crc32),
  sha256: (a, b) => collator.compare(a.sha256 ?? '', b.sha256 ?? ''),
};

const wholeId = 'apk';

function rowsOf(root: FileNode, isOpen: (id: string) => boolean): TreeRow[] {
  const rows: TreeRow[] = [{ id: wholeId, depth: 0, isOpen: null, icon: 'app', label: explorerTexts.whole }];
  const visit = (node: FileNode, depth: number): void => {
    for (const folder of sortedFolders(node)) {
      const open = isOpen(folder.id);
      rows.push({
        id: folder.id,
        depth,
        isOpen: open,
        icon: 'folder',
        label: <HostileText value={folder.name === '' ? '∅' : folder.name} max={120} isLtr isFixed />,
        note: formatCount(folder.count),
      });
      if (open) visit(folder, depth + 1);
    }
    for (const { name, index, entry } of sortedFiles(node)) {
      rows.push({
        id: String(index),
        depth,
        isOpen: null,
        icon: 'file',
        label: <HostileText value={name === '' ? '∅' : name} max={200} isLtr isFixed />,
        note: formatSize(entry.size),
      });
    }
  };
  visit(root, 0);
  return rows;
}

interface FileTableProps {
  files: readonly Placed[];
  /** That the files passed. */
  filter: string;
  onChoose: (file: Placed) => void;
}

function FileTable({ files, filter, onChoose }: FileTableProps) {
  const [order, setOrder] = useState<Column | null>(null);
  const ordered = useMemo(
    () => (order === null ? files : [...files].sort((a, b) => comparisons[order](a.entry, b.entry))),
    [files, order],
  );
  return (
    <>
      <div className={`${styles.fileGrid} ${styles.fileHead}`}>
        {columns.map((column) => (
          <button
            key={column}
            type="button"
            aria-pressed={order === column}
            title={filesTexts.sort}
            onClick={() => setOrder(order === column ? null : column)}
          >
            {filesTexts.columns[column]}
            {order === column && ' ↓'}
          </button>
        ))}
      </div>
      <VirtualRows
        key={`${order} ${filter}`}
        count={ordered.length}
        rowHeight={28}
        label={filesTexts.label}
        isNavigable
        isMain
      >
        {(index) => {
          const file = ordered[index];
          if (file === undefined) return null;
          const { entry } = file;
          return (
            <div className={styles.fileGrid} data-testid="file">
              <button
                type="button"
                className={`${shared.oneLine} ${shared.linkButton}`}
                title={visibleString(entry.name)}
                onClick={() => onChoose(file)}
              >
                <HostileText value={entry.name} max={260} mono isFixed />
              </button>
              <span>{entry.type}</span>
              <span className="tabular">{formatSize(entry.size)}</span>
              <span className="tabular">{formatSize(entry.compressed_size)}</span>
              <span>{entry.method}</span>
              <code>{entry.crc32}</code>
              <span className={shared.oneLine}>
                {entry.sha256 !== null && (
                  <>
                    <code>{entry.sha256.slice(0, 16)}…</code>
                    <CopyButton text={entry.sha256} what="SHA-256" />
                  </>
                )}
              </span>
            </div>
          );
        }}
      </VirtualRows>
    </>
  );
}

export function Component({ apk }: ApkPartProps) {
  const { sha256 } = apk;
  const files = useFiles(sha256);
  const [parameters, setParameters] = useSearchParams();
  const placed = useMemo(() => files.data?.files.map((entry, index) => ({ entry, index })) ?? noFiles, [files.data]);
  const { filter, setFilter, shown, applied } = useFilter(placed, textOf);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => fileTree(shown), [shown]);

  const path = parameters.get('path');
  const position = parameters.get('item');
  const isWhole = parameters.get('whole') !== null;
  const chosen = useMemo(() => {
    const byPlace = position === null ? undefined : placed[Number(position)];
    return byPlace ?? (path === null ? undefined : placed.find(({ entry }) => entry.name === path));
  }, [placed, path, position]);
  const duplicates = useMemo(
    () => (chosen === undefined ? [] : placed.filter(({ entry }) => entry.name === chosen.entry.name)),
    [placed, chosen],
  );
  const opened = useMemo(() => {
    const ids = new Set<string>();
    const segments = chosen?.entry.name.split('/').slice(0, -1) ?? [];
    let id = '/';
    for (const part of segments) {
      id += `${part}/`;
      ids.add(id);
    }
    return ids;
  }, [chosen]);
  const isFiltered = filter !== '' && shown.length <= maxOpened;
  const rows = useMemo(
    () => rowsOf(tree, (id) => toggled.has(id) !== (isFiltered || opened.has(id))),
    [tree, toggled, isFiltered, opened],
  );

  if (files.isPending) return <LoadingPanel />;
  if (files.isError) return <ErrorPanel error={files.error} onRetry={() => void files.refetch()} />;
  if (files.data === null) return <MissingReport sha256={sha256} kind="static" />;
  const layout = parameters.get('layout') === 'table' ? 'table' : 'tree';
  const choose = (file: Placed | null) => {
    const next: Record<string, string> = file === null ? { whole: '' } : { path: file.entry.name };
    // A name that stands twice is told apart by its place.
    if (file !== null && placed.find(({ entry }) => entry.name === file.entry.name) !== file) {
      next.item = String(file.index);
    }
    setParameters(next);
  };
  const nth = chosen === undefined ? 0 : duplicates.indexOf(chosen);
  const place = chosen === undefined ? {} : { path: chosen.entry.name, nth: nth > 0 ? nth : undefined };
  return (
    <>
      <FilterBar
        value={filter}
        onChange={setFilter}
        label={texts.filter.of(filesTexts.label)}
        shown={shown.length}
        total={placed.length}
      >
        <Segments
          label={explorerTexts.layout}
          value={layout}
          onChange={(next) => setParameters(next === 'table' ? { layout: 'table' } : {})}
          segments={[
            { value: 'tree', label: explorerTexts.layouts.tree },
            { value: 'table', label: explorerTexts.layouts.table },
          ]}
        />
      </FilterBar>
      {layout === 'table' ? (
        <FileTable files={shown} filter={applied} onChoose={choose} />
      ) : (
        <div className={styles.split}>
          <div className={styles.side}>
            <TreeRows
              key={applied}
              rows={rows}
              label={explorerTexts.tree}
              chosen={isWhole ? wholeId : chosen === undefined ? null : String(chosen.index)}
              onToggle={(id) => {
                const next = new Set(toggled);
                if (!next.delete(id)) next.add(id);
                setToggled(next);
              }}
              onChoose={(id) => choose(id === wholeId ? null : (placed[Number(id)] ?? null))}
            />
          </div>
          {chosen !== undefined || isWhole ? (
            <FileView
              key={isWhole ? wholeId : chosen!.index}
              sha256={sha256}
              place={isWhole ? {} : place}
              name={isWhole ? '' : chosen!.entry.name}
              type={isWhole ? 'zip' : chosen!.entry.type}
              size={isWhole ? apk.size : chosen!.entry.size}
              compressed={isWhole ? null : chosen!.entry.compressed_size}
              isDuplicate={!isWhole && duplicates.length > 1}
            />
          ) : (
            <StatePanel icon="file" title={explorerTexts.choose}>
              {path === null ? explorerTexts.chooseText : <HostileText value={path} max={200} mono />}
            </StatePanel>
          )}
        </div>
      )}
    </>
  );
}
