// What can be done with the chosen APKs at once. Knows which they are, not how they were chosen.
import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { BulkAction, BulkRequest } from '../../../server/contract/jobs/bulk.ts';
import { useBulk } from '../../api/catalogue-queries.ts';
import { useMay } from '../../api/queries.ts';
import { AddToCase } from '../../components/case/add-to-case.tsx';
import { addToCaseTexts } from '../../components/case/texts.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { offerUndo } from '../../components/trash/offer-undo.tsx';
import { undoTexts } from '../../components/trash/texts.ts';
import { type SaidWord, VerdictForm } from '../../components/verdict/verdict-form.tsx';
import { compareTexts } from '../compare/texts.ts';
import { proposalTexts } from '../proposal/texts.ts';
import { usePropose } from '../proposal/use-propose.ts';
import styles from './catalogue.module.css';
import { type Choice, chosenCount, comparisonOf, exportChoice, sourceOf } from './choice.ts';
import { bulkTexts as words } from './texts.ts';

interface BulkBarProps {
  choice: Choice;
  /** How many could be chosen. */
  found: number;
  onAll: () => void;
  onNone: () => void;
}

type Run = (action: BulkAction, more?: Partial<Pick<BulkRequest, 'tag' | keyof SaidWord>>) => void;

/** Does an action on all that are chosen, and says how many it was done for. */
function useBulkAction(choice: Choice, onDone: (action: BulkAction) => void): { run: Run; isPending: boolean } {
  const { mutate, isPending } = useBulk();
  const run: Run = (action, more) => {
    const about = choice.kind === 'all' ? { search: choice.list.search } : { sha256: [...choice.apks.keys()] };
    mutate(
      { action, ...about, ...more },
      {
        onSuccess: ({ job, done, count: all, refused }) => {
          if (action === 'delete' && job === null && about.sha256 !== undefined)
            offerUndo(undoTexts.deleted(done), about.sha256);
          else notifications.show({ message: job === null ? words.done(done) : words.begun(all) });
          const [first] = refused;
          if (first !== undefined) tellError({ message: words.refused(refused.length, first.detail) });
          onDone(action);
        },
      },
    );
  };
  return { run, isPending };
}

interface BulkDialogProps {
  asked: 'tag' | 'untag' | 'judge' | 'delete' | null;
  count: number;
  isPending: boolean;
  run: Run;
  onClose: () => void;
}

/** Asks for the tag or the verdict, or whether all of them are to be deleted. */
function BulkDialog({ asked, count, isPending, run, onClose }: BulkDialogProps) {
  const [tag, setTag] = useInputState('');
  const isTagging = asked === 'tag' || asked === 'untag';
  return (
    <>
      <Modal opened={isTagging} onClose={onClose} title={asked === 'untag' ? words.untag : words.tag}>
        <form onSubmit={submitting(() => isTagging && run(asked, { tag: tag.trim().replace(/^#/, '') }))}>
          <TextInput label={words.tagName} required data-autofocus value={tag} onChange={setTag} />
          <Button type="submit" mt="sm" loading={isPending}>
            {words.apply}
          </Button>
        </form>
      </Modal>
      <Modal opened={asked === 'judge'} onClose={onClose} title={words.judgeMany(count)} size="lg">
        <VerdictForm
          initial={{ verdict: 'malicious', family: '' }}
          isPending={isPending}
          onSay={({ family, ...word }) => run('judge', { ...word, ...(family === '' ? {} : { family }) })}
        />
      </Modal>
      <ConfirmDialog
        isOpen={asked === 'delete'}
        onClose={onClose}
        title={words.deleteNow(count)}
        action={words.deleteNow(count)}
        isPending={isPending}
        onConfirm={() => run('delete')}
      >
        <p>{words.deleteQuestion(count)}</p>
      </ConfirmDialog>
    </>
  );
}

export function BulkBar({ choice, found, onAll, onNone }: BulkBarProps) {
  const may = useMay();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<BulkDialogProps['asked']>(null);
  const [isAdding, setAdding] = useState(false);
  const count = chosenCount(choice);
  const comparison = comparisonOf(choice);
  const { run, isPending } = useBulkAction(choice, (action) => {
    setAsked(null);
    if (action === 'delete') onNone();
  });
  const { propose, isPending: isProposing } = usePropose();
  const exporting = useMutation({ mutationFn: () => exportChoice(choice, count) });
  return (
    <div className={styles.bulk} role="toolbar" aria-label={words.chosen(count)}>
      <strong className="tabular" data-testid="chosen-count">
        {words.chosen(count)}
      </strong>
      {choice.kind === 'some' && count < found && (
        <Button size="compact-sm" variant="subtle" onClick={onAll}>
          {words.all(found)}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onNone}>
        {words.none}
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="default" loading={isPending}>
            {words.analyse}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(words.kinds) as (keyof typeof words.kinds)[]).map((kind) => (
            <Menu.Item key={kind} onClick={() => run(kind)}>
              {words.kinds[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="compact-sm"
        variant="default"
        disabled={comparison === null}
        title={comparison === null ? compareTexts.tooMany : compareTexts.hint}
        onClick={() => comparison !== null && void navigate(comparison)}
      >
        {compareTexts.title}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        title={proposalTexts.proposeHint}
        loading={isProposing}
        onClick={() => propose(sourceOf(choice))}
      >
        {proposalTexts.propose}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('judge')}>
        {words.judge}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('tag')}>
        {words.tag}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('untag')}>
        {words.untag}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAdding(true)}>
        {addToCaseTexts.add}
      </Button>
      {may('apk.trust') &&
        (['trust', 'untrust'] as const).map((action) => (
          <Button key={action} size="compact-sm" variant="default" onClick={() => run(action)}>
            {words[action]}
          </Button>
        ))}
      <Button size="compact-sm" variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        {words.export}
      </Button>
      {may('apk.delete') && (
        <Button size="compact-sm" variant="subtle" color="red" onClick={() => setAsked('delete')}>
          {words.delete}
        </Button>
      )}
      <AddToCase
        of={choice.kind === 'all' ? { search: choice.list.search } : { apks: [...choice.apks.keys()] }}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
      />
      <BulkDialog asked={asked} count={count} isPending={isPending} run={run} onClose={() => setAsked(null)} />
    </div>
  );
}
