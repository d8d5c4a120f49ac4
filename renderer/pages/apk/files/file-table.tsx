// The files of an APK as a table that sorts by each column. Knows the list of files only.
import { useMemo, useState } from 'react';
import type { ArchiveEntryRecord } from '../../../../server/contract/engine/reports.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import styles from './files.module.css';
import { filesTexts } from './texts.ts';

export interface Placed {
  entry: ArchiveEntryRecord;
  /** Place in the list. */
  index: number;
}
type Column = keyof typeof filesTexts.columns;
const columns = Object.keys(filesTexts.columns) as Column[];

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

interface FileTableProps {
  files: readonly Placed[];
  /** That the files passed. */
  filter: string;
  onChoose: (file: Placed) => void;
}

function FileRow({ file, onChoose }: { file: Placed; onChoose: (file: Placed) => void }) {
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
}

export function FileTable({ files, filter, onChoose }: FileTableProps) {
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
      <ListRows key={`${order} ${filter}`} rows={ordered} rowHeight={28} label={filesTexts.label}>
        {(file) => <FileRow file={file} onChoose={onChoose} />}
      </ListRows>
    </>
  );
}
