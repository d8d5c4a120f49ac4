// The files of an APK as a tree or a table, and the one that is chosen. Knows the list of files only.
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { within } from '../../../../server/contract/engine/child.ts';
import { maxListedFiles } from '../../../../server/contract/engine/result-limits.ts';
import { useContentStart, useReportPart } from '../../../api/apk-queries.ts';
import { useFiles } from '../../../api/queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { toggled } from '../../../components/table/toggled.ts';
import { type TreeRow, TreeRows } from '../../../components/table/tree-rows.tsx';
import { type FilteredList, useFilter } from '../../../components/table/use-filter.ts';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { CutNote } from '../cut-note.tsx';
import type { ApkPartProps } from '../parts.tsx';
import { FileTable, type Placed } from './file-table.tsx';
import { type FileNode, fileTree, sortedFiles, sortedFolders } from './file-tree.ts';
import { FileView } from './file-view.tsx';
import styles from './files.module.css';
import { explorerTexts, filesTexts } from './texts.ts';

const textOf = ({ entry: { name, type } }: Placed) => `${name} ${type}`;
const noFiles: readonly Placed[] = [];
/** While a filter is on, folders stand open as long as there are no more files than this. */
const maxOpened = 500;

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

/**
 * The file that the address names: by its place where its name stands more than once. `whole` is the APK itself,
 * `payload` a file of an archive in it, or one that a run left: the list of files has none of them.
 */
function useChosenFile(placed: readonly Placed[]) {
  const [parameters, setParameters] = useSearchParams();
  const path = parameters.get('path');
  const position = parameters.get('item');
  const file = useMemo(() => {
    const byPlace = position === null ? undefined : placed[Number(position)];
    return byPlace ?? (path === null ? undefined : placed.find(({ entry }) => entry.name === path));
  }, [placed, path, position]);
  const namesakes = useMemo(
    () => (file === undefined ? [] : placed.filter(({ entry }) => entry.name === file.entry.name)),
    [placed, file],
  );
  const choose = (next: Placed | null) => {
    if (next === null) return setParameters({ whole: '' });
    const isFirst = placed.find(({ entry }) => entry.name === next.entry.name) === next;
    setParameters({ path: next.entry.name, ...(isFirst ? {} : { item: String(next.index) }) });
  };
  const isPayload = path !== null && (path.includes(within) || /^(?:run|device):/.test(path));
  const payload = file === undefined && isPayload ? path : null;
  return { path, isWhole: parameters.has('whole'), file, payload, namesakes, choose };
}

interface FileTreePaneProps {
  list: FilteredList<Placed>;
  placed: readonly Placed[];
  chosen: ReturnType<typeof useChosenFile>;
}

/** The folders down to the chosen file stand open, and those that were opened by hand. */
function FileTreePane({ list, placed, chosen: { file, isWhole, choose } }: FileTreePaneProps) {
  /** Folders that were opened or closed by hand, against their default. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => fileTree(list.shown), [list.shown]);
  const path = `/${file?.entry.name ?? ''}`;
  const isFiltered = list.filter !== '' && list.shown.length <= maxOpened;
  const rows = useMemo(
    () => rowsOf(tree, (id) => turned.has(id) !== (isFiltered || path.startsWith(id))),
    [tree, turned, isFiltered, path],
  );
  return (
    <div className={styles.side}>
      <TreeRows
        key={list.applied}
        rows={rows}
        label={explorerTexts.tree}
        chosen={isWhole ? wholeId : file === undefined ? null : String(file.index)}
        onToggle={(id) => setTurned(toggled(turned, id))}
        onChoose={(id) => choose(id === wholeId ? null : (placed[Number(id)] ?? null))}
      />
    </div>
  );
}

function PayloadFile({ sha256, path }: { sha256: string; path: string }) {
  const content = useContentStart(sha256, { path }, 1);
  if (!content.isSuccess) return <QueryState query={content} />;
  const { size } = content.data;
  const shown = { sha256, place: { path }, name: path, type: '', size, compressed: null, isDuplicate: false };
  return <FileView key={path} {...shown} />;
}

function ChosenFile({ apk, chosen }: ApkPartProps & { chosen: ReturnType<typeof useChosenFile> }) {
  const { path, isWhole, file, payload, namesakes } = chosen;
  if (isWhole) {
    const { sha256, size } = apk;
    return <FileView sha256={sha256} place={{}} name="" type="zip" size={size} compressed={null} isDuplicate={false} />;
  }
  if (payload !== null) return <PayloadFile sha256={apk.sha256} path={payload} />;
  if (file === undefined) {
    return (
      <StatePanel icon="file" title={explorerTexts.choose}>
        {path === null ? explorerTexts.chooseText : <HostileText value={path} max={200} mono />}
      </StatePanel>
    );
  }
  const { name, type, size, compressed_size } = file.entry;
  return (
    <FileView
      key={file.index}
      sha256={apk.sha256}
      place={{ path: name, nth: namesakes.indexOf(file) || undefined }}
      name={name}
      type={type}
      size={size}
      compressed={compressed_size}
      isDuplicate={namesakes.length > 1}
    />
  );
}

function FilesCut({ sha256 }: { sha256: string }) {
  const report = useReportPart(sha256, 'androguard');
  return report.data == null ? null : <CutNote report={report.data} list="files" />;
}

export function Component({ apk }: ApkPartProps) {
  const files = useFiles(apk.sha256);
  const [parameters, setParameters] = useSearchParams();
  const placed = useMemo(() => files.data?.files.map((entry, index) => ({ entry, index })) ?? noFiles, [files.data]);
  const filtered = useFilter(placed, textOf);
  const chosen = useChosenFile(placed);
  if (!files.isSuccess) return <QueryState query={files} />;
  if (files.data === null) return <MissingReport sha256={apk.sha256} kind="static" />;
  const layout = parameters.get('layout') === 'table' ? 'table' : 'tree';
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(filesTexts.label)}>
        <Segments
          label={explorerTexts.layout}
          value={layout}
          onChange={(next) => setParameters(next === 'table' ? { layout: 'table' } : {})}
          labels={explorerTexts.layouts}
        />
      </FilterBar>
      {placed.length >= maxListedFiles && <FilesCut sha256={apk.sha256} />}
      {layout === 'table' ? (
        <FileTable files={filtered.shown} filter={filtered.applied} onChoose={chosen.choose} />
      ) : (
        <div
          className={styles.split}
          data-chosen={chosen.isWhole || chosen.file !== undefined || chosen.payload !== null || undefined}
        >
          <FileTreePane list={filtered} placed={placed} chosen={chosen} />
          <ChosenFile apk={apk} chosen={chosen} />
        </div>
      )}
    </>
  );
}
