// The cases, open or closed, the latest changed first. What is sought stands in the address.
import { Button, FileButton, Modal, Textarea, TextInput, Tooltip } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useCases, useCreateCase, useImportCase } from '../../api/case-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { FilterField } from '../../components/table/filter-field.tsx';
import { PageSteps } from '../../components/table/page-steps.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatWhen } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './cases.module.css';
import { caseTexts, casesTexts as words } from './texts.ts';

function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateCase();
  const [name, setName] = useInputState('');
  const [note, setNote] = useInputState('');
  const begin = () => create.mutate({ name, note }, { onSuccess: ({ id }) => void navigate(`/cases/${id}`) });
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.createTitle}>
      <form className={styles.form} onSubmit={submitting(begin)}>
        <TextInput label={caseTexts.name} required maxLength={100} data-autofocus value={name} onChange={setName} />
        <Textarea label={caseTexts.note} maxLength={10_000} autosize minRows={3} value={note} onChange={setNote} />
        <Button type="submit" loading={create.isPending}>
          {caseTexts.save}
        </Button>
      </form>
    </Modal>
  );
}

function Actions() {
  const navigate = useNavigate();
  const taking = useImportCase();
  const [isCreating, setCreating] = useState(false);
  const take = (file: File | null) => {
    if (file === null) return;
    taking.mutate(file, {
      onSuccess: ({ case: { id }, held, missing }) => {
        notifications.show({ message: words.imported(held, missing) });
        void navigate(`/cases/${id}`);
      },
    });
  };
  return (
    <>
      <Button onClick={() => setCreating(true)}>{words.create}</Button>
      <FileButton accept=".json" onChange={take}>
        {(props) => (
          <Tooltip label={words.importHint}>
            <Button {...props} variant="default" loading={taking.isPending}>
              {words.import}
            </Button>
          </Tooltip>
        )}
      </FileButton>
      <CreateDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const choice = parameters.get('show') === 'closed' ? 'closed' : 'open';
  const page = Math.max(1, Number(parameters.get('page')) || 1);
  const cases = useCases(search, choice === 'closed', page);
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(parameters);
    next.delete('page');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setParameters(next, { replace: name !== 'page' });
  };
  const { count = 0, results = [] } = cases.data ?? {};
  return (
    <Page
      title={words.title}
      bar={
        <>
          <FilterField
            value={search}
            onChange={(value) => change('search', value)}
            label={words.searchLabel}
            placeholder={words.search}
          />
          <Segments
            label={words.choice}
            value={choice}
            onChange={(value) => change('show', value)}
            labels={words.choices}
          />
          {cases.isSuccess && <span className={styles.soft}>{words.count(count)}</span>}
        </>
      }
      actions={
        <>
          {cases.isSuccess && (
            <PageSteps page={page} list={cases.data} onPage={(next) => change('page', String(next))} />
          )}
          <Actions />
        </>
      }
    >
      <QueryState query={cases} />
      {cases.isSuccess && count === 0 && (
        <StatePanel icon="folder" title={words.none[choice]}>
          {words.noneText}
        </StatePanel>
      )}
      {results.length > 0 && (
        <ScrollRegion label={words.title}>
          <Table
            columns={[
              words.columns.name,
              { label: words.columns.apks, as: 'number' },
              { label: words.columns.questions, as: 'number' },
              { label: words.columns.tasks, as: 'number' },
              words.columns.people,
              words.columns.changed,
            ]}
          >
            {results.map(({ id, name, people, updated_at, ...counts }) => (
              <tr key={id} data-testid="case">
                <td>
                  <Link to={`/cases/${id}`}>
                    <HostileText value={name} max={100} isFixed />
                  </Link>
                </td>
                <NumberCell>{formatCount(counts.apks_count)}</NumberCell>
                <NumberCell>{formatCount(counts.open_questions_count)}</NumberCell>
                <NumberCell>{formatCount(counts.open_tasks_count)}</NumberCell>
                <td>
                  <HostileText value={people.join(', ')} max={100} isFixed />
                </td>
                <td className="tabular">{formatWhen(updated_at)}</td>
              </tr>
            ))}
          </Table>
        </ScrollRegion>
      )}
    </Page>
  );
}
