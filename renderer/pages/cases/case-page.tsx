// One case: its note, its APKs, what is written in it. Which of these is shown stands in the address.
import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import type { Case } from '../../../server/contract/catalogue/case.ts';
import { useCase, useChangeCase, useDeleteCase } from '../../api/case-queries.ts';
import { ask } from '../../api/client.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { SaveButton } from '../../components/file/save-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { Page } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { Chip } from '../../components/text/chip.tsx';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { CaseApks } from './case-apks.tsx';
import { CaseEntries } from './case-entries.tsx';
import styles from './cases.module.css';
import { caseTexts as words } from './texts.ts';

type View = keyof typeof words.views;

function EditDialog({ found, isOpen, onClose }: { found: Case; isOpen: boolean; onClose: () => void }) {
  const change = useChangeCase(found.id);
  const [name, setName] = useInputState(found.name);
  const [note, setNote] = useInputState(found.note);
  const [people, setPeople] = useInputState(found.people.join(', '));
  const save = () => {
    const all = people.split(',').map((one) => one.trim());
    change.mutate({ name, note, people: all.filter((one) => one !== '') }, { onSuccess: onClose });
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.edit}>
      <form className={styles.form} onSubmit={submitting(save)}>
        <TextInput label={words.name} required maxLength={100} data-autofocus value={name} onChange={setName} />
        <Textarea label={words.note} maxLength={10_000} autosize minRows={3} value={note} onChange={setNote} />
        <TextInput label={words.people} description={words.peopleHint} value={people} onChange={setPeople} />
        <Button type="submit" loading={change.isPending}>
          {words.save}
        </Button>
      </form>
    </Modal>
  );
}

function Actions({ found }: { found: Case }) {
  const { id, is_closed } = found;
  const navigate = useNavigate();
  const change = useChangeCase(id);
  const remove = useDeleteCase(id);
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const search = fieldSearch('case', found.name);
  return (
    <>
      <Button variant="default" onClick={() => setAsked('edit')}>
        {words.edit}
      </Button>
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ is_closed: !is_closed })}>
        {is_closed ? words.reopen : words.close}
      </Button>
      <IndicatorMenu of={{ case: id }} fileName="case_indicators" />
      <SaveButton
        fileName="case.json"
        type="application/json"
        label={words.export}
        fetchParts={async () => [JSON.stringify(await ask('GET /cases/<id>/file/', { id }))]}
      />
      <Button variant="subtle" color="red" onClick={() => setAsked('delete')}>
        {words.delete}
      </Button>
      {search !== null && <Link to={searchAddress(search)}>{words.inCatalogue}</Link>}
      <EditDialog key={found.updated_at} found={found} isOpen={asked === 'edit'} onClose={() => setAsked(null)} />
      <ConfirmDialog
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={words.deleteTitle}
        action={words.delete}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate('/cases') })}
      >
        <p>{words.deleteText}</p>
      </ConfirmDialog>
    </>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const found = useCase(id);
  const asked = parameters.get('view') ?? '';
  const view: View = Object.hasOwn(words.views, asked) ? (asked as View) : 'apks';
  if (!found.isSuccess) return <QueryState query={found} isPage />;
  const { name, note, people, is_closed, apks_count, open_questions_count, open_tasks_count } = found.data;
  const counts: Partial<Record<View, number>> = {
    apks: apks_count,
    question: open_questions_count,
    task: open_tasks_count,
  };
  return (
    <Page
      title={`${words.title}: ${visibleString(name, 80)}`}
      bar={
        <>
          {is_closed && <Chip tone="quiet">{words.closed}</Chip>}
          <span className={styles.soft}>
            {words.people}: <HostileText value={people.join(', ')} max={200} isFixed />
          </span>
        </>
      }
      actions={<Link to="/cases">{words.all}</Link>}
    >
      <div className={styles.bar}>
        <Actions found={found.data} />
      </div>
      <div className={styles.body}>
        {note !== '' && (
          <p className={styles.note}>
            <HostileText value={note} max={10_000} />
          </p>
        )}
        <div className={styles.bar}>
          <Segments
            label={words.view}
            value={view}
            onChange={(next) => setParameters(next === 'apks' ? {} : { view: next }, { replace: true })}
            labels={words.views}
            countOf={(one) => counts[one]}
          />
        </div>
        {view === 'apks' ? (
          <CaseApks id={id} />
        ) : (
          <CaseEntries key={view} id={id} kind={view === 'all' ? undefined : view} />
        )}
      </div>
    </Page>
  );
}
