// Libraries whose methods tell nothing of an app: imported with progress, shown, removed.
import { Button, FileButton, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { useImportLibraries, useLibraries, useRemoveLibrary } from '../../api/administration-queries.ts';
import { type AnswerOf, ApiError } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { CancelJob } from '../../components/status/cancel-job.tsx';
import { JobProgress } from '../../components/status/job-progress.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { librariesTexts as words } from './texts.ts';

type Libraries = AnswerOf<'GET /libraries/'>;

function ImportForm() {
  const { start, sent, cancel, error } = useImportLibraries();
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useInputState('');
  const [version, setVersion] = useInputState('');
  const isSending = sent !== null;
  const [first] = files;
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => {
        const isNamed = files.length === 1;
        start({ files, name: isNamed ? name : '', version: isNamed ? version : '' }, () => {
          setFiles([]);
          setName('');
          setVersion('');
        });
      })}
    >
      <div className={styles.inline}>
        <FileButton multiple onChange={setFiles} disabled={isSending}>
          {(given) => (
            <Button {...given} variant="default" leftSection={<Icon name="file" size={14} />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        <span>
          {first === undefined && words.noFile}
          {files.length === 1 && <HostileText value={first!.name} max={60} isFixed />}
          {files.length > 1 && words.files(files.length)}{' '}
          {first !== undefined && (
            <span className={styles.aside}>{formatSize(files.reduce((sum, { size }) => sum + size, 0))}</span>
          )}
        </span>
      </div>
      {files.length < 2 && (
        <div className={styles.pair}>
          <TextInput
            label={words.name}
            placeholder={words.asFileSays}
            value={name}
            maxLength={200}
            onChange={setName}
          />
          <TextInput
            label={words.version}
            placeholder={words.asFileSays}
            value={version}
            maxLength={200}
            onChange={setVersion}
          />
        </div>
      )}
      {error instanceof ApiError && (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
      <div>
        <Button type="submit" disabled={files.length === 0} loading={isSending}>
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

/** Imports under way, and those that failed. */
function Imports({ imports }: { imports: Libraries['imports'] }) {
  const underWay = imports.filter(({ job }) => job.finished_at === null);
  const failed = imports.filter(({ job }) => job.status === 'failed');
  return (
    <>
      {underWay.map(({ job }) => (
        <div key={job.id} className={styles.actions} data-testid="library-import">
          <JobProgress job={job} />
          <CancelJob id={job.id} />
        </div>
      ))}
      {failed.map(({ source, job }) => (
        <p key={job.id} role="alert" className={styles.error}>
          {words.failed(visibleString(source, 60), visibleString(job.error ?? ''))}
        </p>
      ))}
    </>
  );
}

function LibraryTable({ libraries }: { libraries: Libraries['results'] }) {
  const remove = useRemoveLibrary();
  const [doomed, setDoomed] = useState<string | null>(null);
  const { columns } = words;
  if (libraries.length === 0) return <p className={styles.empty}>{words.none}</p>;
  return (
    <>
      <Table
        columns={[
          columns.name,
          columns.version,
          { label: columns.methods, as: 'number' },
          columns.source,
          { label: columns.action, as: 'hidden' },
        ]}
      >
        {libraries.map(({ name, version, methods, source, imported_at }) => (
          <tr key={`${name}\n${version}`} data-testid="library">
            <th scope="row">
              <HostileText value={name} max={80} isFixed />
            </th>
            <td>
              <HostileText value={version} max={40} isFixed />
            </td>
            <NumberCell>{formatCount(methods)}</NumberCell>
            <td>
              <HostileText value={source} max={60} isFixed />
              <div className={styles.aside}>{formatFull(imported_at)}</div>
            </td>
            <td>
              <RowDeletion
                text={words.remove}
                label={words.removeLabel(visibleString(name, 80))}
                onClick={() => setDoomed(name)}
              />
            </td>
          </tr>
        ))}
      </Table>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={words.removeTitle(visibleString(doomed ?? '', 80))}
        action={words.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(doomed ?? '', { onSuccess: () => setDoomed(null) })}
      >
        {words.removeText}
      </ConfirmDialog>
    </>
  );
}

export function LibrariesSection() {
  const libraries = useLibraries();
  return (
    <>
      <Group title={words.title} note={words.note}>
        {libraries.isSuccess ? <LibraryTable libraries={libraries.data.results} /> : <QueryState query={libraries} />}
      </Group>
      <Group title={words.importTitle} note={words.importNote}>
        {libraries.isSuccess && <Imports imports={libraries.data.imports} />}
        <ImportForm />
      </Group>
    </>
  );
}
