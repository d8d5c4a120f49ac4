// Watched folders: which there are, what became of their files, and how each is watched.
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  useRemoveWatchedFolder,
  useRetryWatchedFiles,
  useWatchedFiles,
  useWatchedFolderChange,
  useWatchedFolders,
} from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { watchedFoldersTexts as words } from './texts.ts';
import { type WatchedFolder, WatchedFolderForm } from './watched-folder-form.tsx';

type WatchedFile = AnswerOf<'GET /watched-folders/<id>/files/'>['results'][number];

const tones: Record<WatchedFolder['state'], Tone> = {
  off: 'quiet',
  starting: 'info',
  watching: 'good',
  unreachable: 'high',
};
const shownPath = (path: string) => visibleString(path, 120);

function State({ folder: { state, problem, unreadable } }: { folder: WatchedFolder }) {
  return (
    <>
      <Chip tone={tones[state]}>{words.states[state]}</Chip>
      {problem !== '' && (
        <div className={styles.aside}>
          <HostileText value={problem} max={200} isFixed />
        </div>
      )}
      {unreadable.length > 0 && (
        <div className={styles.aside}>
          {words.unreadable}
          {unreadable.slice(0, 3).map(({ path, reason }) => (
            <div key={path}>
              <HostileText value={`${path}: ${reason}`} max={160} isFixed />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

interface Opened {
  id: string;
  as: 'files' | 'form';
}

function FolderRow({
  folder,
  open,
  remove,
}: {
  folder: WatchedFolder;
  open: (as: Opened['as']) => void;
  remove: () => void;
}) {
  const change = useWatchedFolderChange();
  const path = shownPath(folder.path);
  return (
    <tr data-testid="watched-folder">
      <th scope="row" className={styles.wrap}>
        <HostileText value={folder.path} max={200} mono isFixed />
        <div className={styles.aside}>
          {words.outcomes[folder.outcome]}
          {folder.tags.length > 0 && <> · {visibleString(folder.tags.join(', '), 120)}</>}
        </div>
      </th>
      <td>
        <State folder={folder} />
      </td>
      <td>
        {words.counts(folder).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </td>
      <td>
        <div className={styles.inline}>
          <Switch
            aria-label={words.switchOn(path)}
            checked={folder.is_on}
            onChange={(event) => change.mutate({ id: folder.id, changes: { is_on: event.currentTarget.checked } })}
          />
          <Button variant="subtle" aria-label={words.filesLabel(path)} onClick={() => open('files')}>
            {words.files}
          </Button>
          <Button variant="subtle" aria-label={words.changeLabel(path)} onClick={() => open('form')}>
            {words.change}
          </Button>
          <RowDeletion text={words.remove} label={words.removeLabel(path)} onClick={remove} />
        </div>
      </td>
    </tr>
  );
}

function Outcome({ file: { apks, refused } }: { file: WatchedFile }) {
  const added = apks.filter(({ is_new }) => is_new).length;
  const [first] = apks;
  const told = [added > 0 ? words.added(added) : '', added < apks.length ? words.held(apks.length - added) : ''];
  return (
    <>
      {first !== undefined && apks.length === 1 ? (
        <Link to={`/apks/${first.sha256}`}>{told.join('')}</Link>
      ) : (
        told.filter(Boolean).join(', ')
      )}
      {refused.slice(0, 5).map(({ name, reason }) => (
        <div key={name}>
          <HostileText value={`${name}: ${reason}`} max={240} isFixed />
        </div>
      ))}
    </>
  );
}

function FolderFiles({ folder }: { folder: WatchedFolder }) {
  const [shown, setShown] = useState<keyof typeof words.filesOf>('all');
  const files = useWatchedFiles(folder.id, shown === 'refused');
  const retry = useRetryWatchedFiles();
  const { fileColumns: columns } = words;
  return (
    <Group title={words.filesTitle(shownPath(folder.path))}>
      <div className={styles.inline}>
        <Segments label={words.fileColumns.outcome} value={shown} onChange={setShown} labels={words.filesOf} />
        <Button
          variant="default"
          disabled={folder.refused_count === 0 || !folder.is_on}
          loading={retry.isPending}
          onClick={() => retry.mutate(folder.id)}
        >
          {words.retry}
        </Button>
      </div>
      {!files.isSuccess && <QueryState query={files} />}
      {files.isSuccess && files.data.results.length === 0 && <p className={styles.empty}>{words.noFiles}</p>}
      {files.isSuccess && files.data.results.length > 0 && (
        <Table columns={[columns.path, { label: columns.size, as: 'number' }, columns.outcome, columns.when]}>
          {files.data.results.map((file) => (
            <tr key={`${file.path}\n${file.taken_at}`} data-testid="watched-file">
              <th scope="row" className={styles.wrap}>
                <HostileText value={file.path} max={160} isFixed />
              </th>
              <NumberCell>{formatSize(file.size)}</NumberCell>
              <td>
                <Outcome file={file} />
              </td>
              <td>{formatFull(file.taken_at)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Group>
  );
}

export function WatchedFoldersSection() {
  const folders = useWatchedFolders();
  const remove = useRemoveWatchedFolder();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [doomed, setDoomed] = useState<WatchedFolder | null>(null);
  if (!folders.isSuccess) return <QueryState query={folders} />;
  const { results } = folders.data;
  const shown = results.find(({ id }) => id === opened?.id);
  const { columns } = words;
  return (
    <>
      <Group title={words.title} note={words.note}>
        {results.length === 0 ? (
          <p className={styles.empty}>{words.none}</p>
        ) : (
          <Table columns={[columns.path, columns.state, columns.files, { label: columns.action, as: 'hidden' }]}>
            {results.map((folder) => (
              <FolderRow
                key={folder.id}
                folder={folder}
                open={(as) => setOpened({ id: folder.id, as })}
                remove={() => setDoomed(folder)}
              />
            ))}
          </Table>
        )}
      </Group>
      {shown !== undefined && opened?.as === 'files' && <FolderFiles key={shown.id} folder={shown} />}
      {shown !== undefined && opened?.as === 'form' && (
        <Group title={words.changeTitle(shownPath(shown.path))}>
          <WatchedFolderForm key={shown.id} folder={shown} onDone={() => setOpened(null)} />
        </Group>
      )}
      <Group title={words.newTitle}>
        <WatchedFolderForm folder={null} onDone={() => undefined} />
      </Group>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={words.removeTitle(shownPath(doomed?.path ?? ''))}
        action={words.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(doomed?.id ?? '', { onSuccess: () => setDoomed(null) })}
      >
        {words.removeText}
      </ConfirmDialog>
    </>
  );
}
