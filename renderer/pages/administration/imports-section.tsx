// Imports of files of the workstation's machine: how far each is, what it refused and why, and the form that begins one.
import { Button, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  useImportRefusals,
  useImportState,
  useImports,
  useNewImport,
  useRemoveImport,
  useRetryImport,
} from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { FormFault, fieldFaults } from '../../components/form/form-fault.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { importsTexts as words } from './texts.ts';

type Import = AnswerOf<'GET /imports/'>['results'][number];

const tones: Record<Import['state'], Tone> = { running: 'info', stopped: 'high', ended: 'good' };
const shownPath = (path: string) => visibleString(path, 120);

/** Of its bytes, from 0 to 1. */
const shareOf = ({ byte_count: bytes, done_bytes: done }: Import): number =>
  bytes === null ? 0 : bytes === 0 ? 1 : Math.min(1, done / bytes);

function Progress({ one }: { one: Import }) {
  const { state, problem, path } = one;
  return (
    <>
      <Chip tone={tones[state]}>{words.states[state]}</Chip>
      {state !== 'ended' && <ProgressBar share={shareOf(one)} label={shownPath(path)} />}
      <div className={`${styles.aside} tabular`}>
        {words.progress(one)}
        {state === 'running' && <div>{words.pace(one)}</div>}
      </div>
      {problem !== '' && (
        <div className={styles.aside}>
          <HostileText value={problem} max={200} isFixed />
        </div>
      )}
    </>
  );
}

function ImportRow({ one, open, isOpen }: { one: Import; open: () => void; isOpen: boolean }) {
  const change = useImportState();
  const remove = useRemoveImport();
  const path = shownPath(one.path);
  return (
    <tr data-testid="import" data-state={one.state}>
      <th scope="row" className={styles.wrap}>
        <HostileText value={one.path} max={200} mono isFixed />
        {one.tags.length > 0 && <div className={styles.aside}>{visibleString(one.tags.join(', '), 120)}</div>}
      </th>
      <td style={{ minWidth: 190 }}>
        <Progress one={one} />
      </td>
      <td>
        {words.counts(one).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </td>
      <td>
        <div className={styles.inline}>
          {one.state !== 'ended' && (
            <Button
              variant="subtle"
              loading={change.isPending}
              aria-label={(one.state === 'running' ? words.stopLabel : words.goOnLabel)(path)}
              onClick={() => change.mutate({ id: one.id, state: one.state === 'running' ? 'stopped' : 'running' })}
            >
              {one.state === 'running' ? words.stop : words.goOn}
            </Button>
          )}
          {one.refused_count > 0 && (
            <Button variant="subtle" aria-expanded={isOpen} aria-label={words.refusedLabel(path)} onClick={open}>
              {words.refused}
            </Button>
          )}
          <RowDeletion text={words.remove} label={words.removeLabel(path)} onClick={() => remove.mutate(one.id)} />
        </div>
      </td>
    </tr>
  );
}

function Refusals({ one }: { one: Import }) {
  // It is asked for again when the number changes.
  const refusals = useImportRefusals(one.id, one.refused_count);
  const retry = useRetryImport();
  const { refusalColumns: columns } = words;
  return (
    <Group title={words.refusedTitle(shownPath(one.path))}>
      <div className={styles.inline}>
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(one.id)}>
          {words.retry}
        </Button>
      </div>
      <QueryState query={refusals} />
      <Table columns={[columns.name, columns.reason]}>
        {(refusals.data?.items ?? []).map(({ path, name, reason }) => (
          <tr key={`${path}\n${name}`} data-testid="import-refusal">
            <th scope="row" className={styles.wrap}>
              <HostileText value={name} max={200} mono isFixed />
            </th>
            <td className={styles.wrap}>
              <HostileText value={reason} max={300} isFixed />
            </td>
          </tr>
        ))}
      </Table>
      <MoreButton list={refusals} />
    </Group>
  );
}

const unset = { path: '', tags: [] as string[], has_folder_tags: false };

function NewImport() {
  const adding = useNewImport();
  const [draft, setDraft] = useState(unset);
  const set = (changes: Partial<typeof unset>) => setDraft((known) => ({ ...known, ...changes }));
  const fields = fieldFaults(adding.error);
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => adding.mutate(draft, { onSuccess: () => setDraft(unset) }))}
    >
      <TextInput
        label={words.path}
        description={words.pathNote}
        value={draft.path}
        maxLength={4096}
        error={fields.path?.join(' ') ?? null}
        onChange={(event) => set({ path: event.currentTarget.value })}
      />
      <TagsInput
        label={words.tags}
        placeholder={words.tagsHint}
        value={draft.tags}
        error={fields.tags?.join(' ') ?? null}
        onChange={(tags) => set({ tags })}
      />
      <Switch
        label={words.folderTags}
        checked={draft.has_folder_tags}
        onChange={(event) => set({ has_folder_tags: event.currentTarget.checked })}
      />
      <FormFault error={adding.error} />
      <div className={styles.inline}>
        <Button type="submit" disabled={draft.path === ''} loading={adding.isPending}>
          {words.begin}
        </Button>
      </div>
    </form>
  );
}

export function ImportsSection() {
  const imports = useImports();
  const [opened, setOpened] = useState<string | null>(null);
  if (!imports.isSuccess) return <QueryState query={imports} />;
  const { results } = imports.data;
  const shown = results.find(({ id, refused_count }) => id === opened && refused_count > 0);
  const { columns } = words;
  return (
    <>
      <Group title={words.newTitle} note={words.note}>
        <NewImport />
      </Group>
      <Group title={words.title}>
        {results.length === 0 ? (
          <p className={styles.empty}>{words.none}</p>
        ) : (
          <Table columns={[columns.path, columns.progress, columns.apks, { label: columns.action, as: 'hidden' }]}>
            {results.map((one) => (
              <ImportRow
                key={one.id}
                one={one}
                isOpen={one.id === opened}
                open={() => setOpened(one.id === opened ? null : one.id)}
              />
            ))}
          </Table>
        )}
      </Group>
      {shown !== undefined && <Refusals key={shown.id} one={shown} />}
    </>
  );
}
