// What is written in a case, by when it happened, and a form for more of it. Knows one case.
import { ActionIcon, Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { type CaseEntry, type EntryKind, entryKinds } from '../../../server/contract/catalogue/case.ts';
import { useCaseEntries, useChangeEntry, useDeleteEntry, useWriteEntry } from '../../api/case-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './cases.module.css';
import { caseTexts as words } from './texts.ts';

function Answer({ id, entry }: { id: string; entry: CaseEntry }) {
  const change = useChangeEntry(id);
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useInputState(entry.answer);
  if (!isOpen) {
    return (
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {words.answerIt}
      </Button>
    );
  }
  const save = () =>
    change.mutate(
      { entry: entry.id, body: { answer, is_done: answer.trim() !== '' } },
      { onSuccess: () => setOpen(false) },
    );
  return (
    <form className={styles.form} onSubmit={submitting(save)}>
      <Textarea label={words.answer} autosize data-autofocus value={answer} onChange={setAnswer} />
      <Button type="submit" size="compact-sm" loading={change.isPending}>
        {words.save}
      </Button>
    </form>
  );
}

function Entry({ id, entry }: { id: string; entry: CaseEntry }) {
  const change = useChangeEntry(id);
  const remove = useDeleteEntry(id);
  const { kind, text, answer, assignee, is_done, happened_at, analyst } = entry;
  return (
    <li data-testid="case-entry">
      <span className={styles.name}>
        <Chip tone={kind === 'question' || kind === 'task' ? (is_done ? 'quiet' : 'medium') : 'info'}>
          {words.kinds[kind]}
        </Chip>
        <time dateTime={happened_at} className={styles.soft}>
          {formatFull(happened_at)}
        </time>
        <span className={styles.soft}>{words.by(analyst)}</span>
        {assignee !== '' && <b>{words.for(assignee)}</b>}
        {kind === 'task' && (
          <Checkbox
            size="xs"
            label={words.done}
            checked={is_done}
            onChange={(event) => change.mutate({ entry: entry.id, body: { is_done: event.currentTarget.checked } })}
          />
        )}
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label={words.deleteEntry}
          loading={remove.isPending}
          onClick={() => remove.mutate(entry.id)}
        >
          <Icon name="trash" size={13} />
        </ActionIcon>
      </span>
      <p>
        <HostileText value={text} max={10_000} />
      </p>
      {answer !== '' && (
        <p>
          <b>{words.answer}:</b> <HostileText value={answer} max={10_000} />
        </p>
      )}
      {kind === 'question' && <Answer id={id} entry={entry} />}
    </li>
  );
}

function WriteForm({ id, only }: { id: string; only: EntryKind | undefined }) {
  const write = useWriteEntry(id);
  const [chosen, setChosen] = useState<EntryKind>('note');
  const [text, setText] = useInputState('');
  const [assignee, setAssignee] = useInputState('');
  const [happened, setHappened] = useInputState('');
  const kind = only ?? chosen;
  const send = () => {
    const more = {
      ...(kind === 'task' ? { assignee: assignee.trim() } : {}),
      ...(kind === 'event' && happened !== '' ? { happened_at: new Date(happened).toISOString() } : {}),
    };
    write.mutate({ kind, text, ...more }, { onSuccess: () => setText('') });
  };
  return (
    <form className={`${styles.bar} ${styles.fields}`} onSubmit={submitting(send)}>
      {only === undefined && (
        <Select
          label={words.kind}
          w={120}
          allowDeselect={false}
          data={entryKinds.map((value) => ({ value, label: words.kinds[value] }))}
          value={chosen}
          onChange={(value) => setChosen(value as EntryKind)}
        />
      )}
      <Textarea
        className={styles.wide}
        label={words.text}
        autosize
        required
        maxLength={10_000}
        value={text}
        onChange={setText}
      />
      {kind === 'task' && <TextInput label={words.assignee} maxLength={150} value={assignee} onChange={setAssignee} />}
      {kind === 'event' && (
        <TextInput type="datetime-local" label={words.happened} value={happened} onChange={setHappened} />
      )}
      <Button type="submit" loading={write.isPending}>
        {words.write}
      </Button>
    </form>
  );
}

export function CaseEntries({ id, kind }: { id: string; kind: EntryKind | undefined }) {
  const [page, setPage] = useState(1);
  const entries = useCaseEntries(id, kind, page);
  if (!entries.isSuccess) return <QueryState query={entries} />;
  const { count, results } = entries.data;
  return (
    <>
      <WriteForm id={id} only={kind} />
      {count === 0 && <StatePanel icon="file" title={words.noEntries} />}
      <ul className={styles.entries}>
        {results.map((entry) => (
          <Entry key={entry.id} id={id} entry={entry} />
        ))}
      </ul>
      {count > results.length && <PageSteps page={page} list={entries.data} onPage={setPage} />}
    </>
  );
}
