// Sealed collections: APKs with all that is known of them, written for another workstation and taken in from one.
import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { passphraseLength } from '../../../server/contract/workstation/storage.ts';
import { useCollections, useReadCollection, useWriteCollection } from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { FormFault, fieldFaults } from '../../components/form/form-fault.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { collectionsTexts as words } from './texts.ts';

type Transfer = AnswerOf<'GET /collections/'>['results'][number];

const tones: Record<Transfer['state'], Tone> = { running: 'info', ended: 'good', failed: 'high' };
/** Refusals that are named; the number of all stands before them. */
const maxNamed = 5;

const unset = { path: '', passphrase: '', search: '', has_cases: true };

function WriteForm() {
  const writing = useWriteCollection();
  const [draft, setDraft] = useState(unset);
  const set = (changes: Partial<typeof unset>) => setDraft((known) => ({ ...known, ...changes }));
  const fields = fieldFaults(writing.error);
  const isShort = draft.passphrase !== '' && [...draft.passphrase].length < passphraseLength;
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => writing.mutate(draft, { onSuccess: () => setDraft(unset) }))}
    >
      <TextInput
        label={words.search}
        description={words.searchNote}
        value={draft.search}
        error={fields.search?.join(' ') ?? null}
        onChange={(event) => set({ search: event.currentTarget.value })}
      />
      <TextInput
        label={words.writePath}
        description={words.pathNote}
        value={draft.path}
        maxLength={4096}
        error={fields.path?.join(' ') ?? null}
        onChange={(event) => set({ path: event.currentTarget.value })}
      />
      <PasswordInput
        label={words.newPassphrase}
        description={words.newPassphraseNote}
        autoComplete="new-password"
        value={draft.passphrase}
        error={isShort ? words.shortPassphrase(passphraseLength) : (fields.passphrase?.join(' ') ?? null)}
        onChange={(event) => set({ passphrase: event.currentTarget.value })}
      />
      <Switch
        label={words.cases}
        checked={draft.has_cases}
        onChange={(event) => set({ has_cases: event.currentTarget.checked })}
      />
      <FormFault error={writing.error} />
      <div className={styles.inline}>
        <Button
          type="submit"
          disabled={draft.path === '' || draft.passphrase === '' || isShort}
          loading={writing.isPending}
        >
          {words.write}
        </Button>
      </div>
    </form>
  );
}

function ReadForm() {
  const reading = useReadCollection();
  const [draft, setDraft] = useState({ path: '', passphrase: '' });
  const fields = fieldFaults(reading.error);
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => reading.mutate(draft, { onSuccess: () => setDraft({ path: '', passphrase: '' }) }))}
    >
      <TextInput
        label={words.readPath}
        description={words.pathNote}
        value={draft.path}
        maxLength={4096}
        error={fields.path?.join(' ') ?? null}
        onChange={(event) => setDraft({ ...draft, path: event.currentTarget.value })}
      />
      <PasswordInput
        label={words.passphrase}
        autoComplete="off"
        value={draft.passphrase}
        error={fields.passphrase?.join(' ') ?? null}
        onChange={(event) => setDraft({ ...draft, passphrase: event.currentTarget.value })}
      />
      <FormFault error={reading.error} />
      <div className={styles.inline}>
        <Button type="submit" disabled={draft.path === '' || draft.passphrase === ''} loading={reading.isPending}>
          {words.read}
        </Button>
      </div>
    </form>
  );
}

function TransferRow({ transfer }: { transfer: Transfer }) {
  const { path, state, problem, refused, refused_count: refusedCount, apk_count: count, done_count: done } = transfer;
  return (
    <tr data-testid="collection" data-state={state}>
      <th scope="row" className={styles.wrap}>
        <HostileText value={path} max={200} mono isFixed />
        <div className={styles.aside}>
          {words.directions[transfer.direction]}, {formatFull(transfer.started_at)}
        </div>
      </th>
      <td style={{ minWidth: 160 }}>
        <Chip tone={tones[state]}>{words.states[state]}</Chip>
        {state === 'running' && (
          <ProgressBar share={count === null ? 0 : done / Math.max(1, count)} label={visibleString(path, 120)} />
        )}
        {problem !== '' && (
          <div className={styles.aside}>
            <HostileText value={problem} max={200} isFixed />
          </div>
        )}
      </td>
      <td className={styles.wrap}>
        {words.counts(transfer).map((line) => (
          <div key={line}>{line}</div>
        ))}
        {refusedCount > 0 && (
          <div className={styles.aside}>
            {words.refused(refusedCount)}
            {refused.slice(0, maxNamed).map(({ name, reason }) => (
              <div key={name}>
                <HostileText value={`${name}: ${reason}`} max={240} isFixed />
              </div>
            ))}
          </div>
        )}
      </td>
    </tr>
  );
}

export function CollectionsSection() {
  const collections = useCollections();
  if (!collections.isSuccess) return <QueryState query={collections} />;
  const { results } = collections.data;
  const { columns } = words;
  return (
    <>
      <Group title={words.writeTitle} note={words.writeNote}>
        <WriteForm />
      </Group>
      <Group title={words.readTitle} note={words.readNote}>
        <ReadForm />
      </Group>
      <Group title={words.title} note={words.sinceStart}>
        {results.length === 0 ? (
          <p className={styles.empty}>{words.none}</p>
        ) : (
          <Table columns={[columns.path, columns.state, columns.content]}>
            {results.map((transfer) => (
              <TransferRow key={transfer.id} transfer={transfer} />
            ))}
          </Table>
        )}
      </Group>
    </>
  );
}
