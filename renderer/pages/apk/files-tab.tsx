// Every entry of the archive as a sortable table. Knows the list of files only.
import { useMemo, useState } from 'react';
import type { ArchiveEntryRecord } from '../../../server/contract/reports.ts';
import { useFiles } from '../../api/queries.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { formatSize } from '../../components/format.ts';
import { HostileText, visibleString } from '../../components/hostile-text.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

type Column = keyof typeof texts.files.columns;
const columns = Object.keys(texts.files.columns) as Column[];

const textOf = ({ name, type }: ArchiveEntryRecord) => `${name} ${type}`;
const noFiles: readonly ArchiveEntryRecord[] = [];
const collator = new Intl.Collator('en', { numeric: true });

const comparisons: Record<Column, (a: ArchiveEntryRecord, b: ArchiveEntryRecord) => number> = {
  name: (a, b) => collator.compare(a.name, b.name),
  type: (a, b) => collator.compare(a.type, b.type),
  size: (a, b) => b.size - a.size,
  compressed: (a, b) => b.compressed_size - a.compressed_size,
  method: (a, b) => collator.compare(a.method, b.method),
  crc32: (a, b) => collator.compare(a.crc32, b.crc32),
  sha256: (a, b) => collator.compare(a.sha256 ?? '', b.sha256 ?? ''),
};

export function FilesTab({ sha256 }: { sha256: string }) {
  const files = useFiles(sha256);
  const [order, setOrder] = useState<Column | null>(null);
  const entries = files.data?.files ?? noFiles;
  const ordered = useMemo(() => (order === null ? entries : [...entries].sort(comparisons[order])), [entries, order]);
  const { filter, setFilter, shown } = useFilter(ordered, textOf);
  if (files.isPending) return <LoadingPanel />;
  if (files.isError) return <ErrorPanel error={files.error} onRetry={() => void files.refetch()} />;
  return (
    <>
      <FilterBar
        value={filter}
        onChange={setFilter}
        label={texts.filter.of(texts.apk.tabs.files)}
        shown={shown.length}
        total={entries.length}
      />
      <div className={`${styles.fileGrid} ${styles.fileHead}`}>
        {columns.map((column) => (
          <button
            key={column}
            type="button"
            aria-pressed={order === column}
            title={texts.files.sort}
            onClick={() => setOrder(order === column ? null : column)}
          >
            {texts.files.columns[column]}
            {order === column && ' ↓'}
          </button>
        ))}
      </div>
      <VirtualRows count={shown.length} rowHeight={28} label={texts.apk.tabs.files}>
        {(index) => {
          const entry = shown[index];
          if (entry === undefined) return null;
          return (
            <div className={styles.fileGrid} data-testid="file">
              <span className={styles.oneLine} title={visibleString(entry.name)}>
                <HostileText value={entry.name} max={260} mono isFixed />
              </span>
              <span>{entry.type}</span>
              <span className="tabular">{formatSize(entry.size)}</span>
              <span className="tabular">{formatSize(entry.compressed_size)}</span>
              <span>{entry.method}</span>
              <code>{entry.crc32}</code>
              <span className={styles.oneLine}>
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
