// Lists of known files and signers: imported with progress, shown, deleted.
import { Button, FileButton, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import type { KnownKind } from '../../../server/contract/catalogue/known.ts';
import type { KnownList } from '../../../server/contract/jobs/known-list.ts';
import { useDeleteKnownList, useImportKnownList, useKnownLists } from '../../api/administration-queries.ts';
import { type AnswerOf, ApiError } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import { CancelJob } from '../../components/status/cancel-job.tsx';
import { JobProgress } from '../../components/status/job-progress.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { statusTexts } from '../../components/status/texts.ts';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { knownListsTexts as words } from './texts.ts';

type Lists = AnswerOf<'GET /known_lists/'>;

/** `full_dump.csv` is proposed as `full_dump`. */
const nameOf = (file: File) =>
  file.name
    .replace(/\.[A-Za-z]+$/, '')
    .replace(/[^\w. -]+/g, '_')
    .replace(/^[^\w]+/, '')
    .slice(0, 64);

function ImportForm() {
  const { start, sent, cancel, ...sending } = useImportKnownList();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useInputState('');
  const [kind, setKind] = useState<KnownKind>('bad');
  const isSending = sent !== null;
  const fault = sending.error instanceof ApiError ? (sending.error.fields.name?.[0] ?? sending.error.message) : null;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    // A name that somebody typed stays.
    if (chosen !== null && (name === '' || name === (file && nameOf(file)))) setName(nameOf(chosen));
  };
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => {
        if (file === null) return;
        start({ file, name, kind }, () => {
          setFile(null);
          setName('');
        });
      })}
    >
      <div className={styles.inline}>
        <FileButton onChange={choose} disabled={isSending}>
          {(given) => (
            <Button {...given} variant="default" leftSection={<Icon name="file" size={14} />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        <span>
          {file === null ? words.noFile : <HostileText value={file.name} max={60} isFixed />}{' '}
          {file !== null && <span className={styles.aside}>{formatSize(file.size)}</span>}
        </span>
      </div>
      <Segments label={words.kind} value={kind} onChange={setKind} labels={words.kinds} />
      <div className={styles.pair}>
        <TextInput
          label={words.name}
          description={words.nameNote}
          value={name}
          required
          maxLength={64}
          error={fault}
          onChange={setName}
        />
        <Button type="submit" disabled={file === null} loading={isSending}>
          {words.import}
        </Button>
      </div>
      {isSending && (
        <div className={styles.inline}>
          <ProgressBar share={sent} label={words.sending} />
          <Button variant="default" onClick={cancel}>
            {words.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The import under way, or why the last one failed. */
function LastImport({ job }: { job: NonNullable<Lists['job']> }) {
  if (job.status === 'queued' || job.status === 'running')
    return (
      <div className={styles.actions} data-testid="list-import">
        <JobProgress job={job} />
        <CancelJob id={job.id} />
      </div>
    );
  if (job.status !== 'failed') return null;
  return (
    <p role="alert" className={styles.error}>
      {words.failed(visibleString(job.error ?? ''))}
    </p>
  );
}

function ListRow({ list, onDelete }: { list: KnownList; onDelete: () => void }) {
  const { name, kind, count, source, imported_at, added, removed, unreadable, first_unreadable_line } = list;
  return (
    <tr data-testid="known-list">
      <th scope="row">{name}</th>
      <td>
        {kind === null ? (
          <Chip tone="medium" icon="warning" title={words.damagedText}>
            {words.damaged}
          </Chip>
        ) : (
          <Chip tone={kind === 'bad' ? 'high' : 'good'}>{statusTexts.known[kind]}</Chip>
        )}
      </td>
      <NumberCell>{formatCount(count)}</NumberCell>
      <td>
        <HostileText value={source} max={60} isFixed />
        <div className={styles.aside}>
          {imported_at !== null && formatFull(imported_at)} {words.changed(added, removed)}
        </div>
        {unreadable > 0 && <div className={styles.aside}>{words.unreadable(unreadable, first_unreadable_line)}</div>}
      </td>
      <td>
        <Link to={searchAddress(`list:"${name}"`)}>{words.show}</Link>
        <RowDeletion text={words.delete} label={words.deleteLabel(name)} onClick={onDelete} />
      </td>
    </tr>
  );
}

function ListTable({ lists }: { lists: Lists['results'] }) {
  const remove = useDeleteKnownList();
  const [doomed, setDoomed] = useState<string | null>(null);
  if (lists.length === 0) return <p className={styles.empty}>{words.none}</p>;
  return (
    <>
      <Table
        columns={[
          words.columns.name,
          words.columns.kind,
          { label: words.columns.count, as: 'number' },
          words.columns.source,
          { label: words.columns.action, as: 'hidden' },
        ]}
      >
        {lists.map((list) => (
          <ListRow key={list.name} list={list} onDelete={() => setDoomed(list.name)} />
        ))}
      </Table>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={words.deleteTitle(doomed ?? '')}
        action={words.delete}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(doomed ?? '', { onSuccess: () => setDoomed(null) })}
      >
        {words.deleteText}
      </ConfirmDialog>
    </>
  );
}

export function KnownListsSection() {
  const lists = useKnownLists();
  return (
    <>
      <Group title={words.title} note={words.note}>
        {lists.isSuccess ? <ListTable lists={lists.data.results} /> : <QueryState query={lists} />}
      </Group>
      <Group title={words.importTitle} note={words.importNote}>
        {lists.data?.job != null && <LastImport job={lists.data.job} />}
        <ImportForm />
      </Group>
    </>
  );
}
