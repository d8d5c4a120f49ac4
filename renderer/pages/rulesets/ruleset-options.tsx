// What is set of a ruleset beside its rules: whether it scans, who sees it, whether it is social. Knows nothing of the rules.
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { RulesetChangesBody, RulesetDetail } from '../../../server/contract/rules/ruleset.ts';
import { useMay } from '../../api/queries.ts';
import { useDeleteRuleset, useSocialChange } from '../../api/ruleset-queries.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { offerUndo } from '../../components/trash/offer-undo.tsx';
import { undoTexts } from '../../components/trash/texts.ts';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

interface RulesetOptionsProps {
  ruleset: RulesetDetail;
  onChange: (changes: RulesetChangesBody) => void;
}

export function RulesetOptions({ ruleset, onChange }: RulesetOptionsProps) {
  const navigate = useNavigate();
  const remove = useDeleteRuleset();
  const [isAsking, setAsking] = useState(false);
  const { last_scan_error: trouble } = ruleset;
  return (
    <section>
      {trouble !== null && ruleset.scan_state !== 'ok' && (
        <p role="alert" className={styles.error}>
          {words.scanStates[ruleset.scan_state]}: <HostileText value={trouble.message} max={400} />
        </p>
      )}
      <div className={styles.form}>
        <Switch
          label={words.enabled}
          checked={ruleset.status === 'enabled'}
          onChange={(event) => onChange({ status: event.currentTarget.checked ? 'enabled' : 'disabled' })}
        />
        {(['is_public', 'is_notifier'] as const).map((name) => (
          <Switch
            key={name}
            label={words.settings[name]}
            checked={ruleset[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
          />
        ))}
        <div className={styles.actions}>
          <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
            {words.delete}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.delete}
        action={words.delete}
        isPending={remove.isPending}
        onConfirm={() =>
          remove.mutate(ruleset.id, {
            onSuccess: () => {
              offerUndo(undoTexts.rulesetDeleted, [ruleset.id]);
              void navigate('/rulesets');
            },
          })
        }
      >
        <p>{words.deleteQuestion}</p>
      </ConfirmDialog>
    </section>
  );
}

/** Its way to a social ruleset: proposed by its author, judged by experts. */
export function SocialStatus({ ruleset, isMine }: { ruleset: RulesetDetail; isMine: boolean }) {
  const change = useSocialChange(ruleset.id);
  const mayJudge = useMay()('ruleset.judge');
  const isAsked = ruleset.social_status === 'pending';
  const mayAsk =
    isMine && ruleset.is_public && (ruleset.social_status === 'none' || ruleset.social_status === 'rejected');
  if (!mayAsk && !(mayJudge && isAsked)) return null;
  return (
    <section>
      <p className={styles.note}>{words.promoteNote}</p>
      <div className={styles.actions}>
        {mayAsk && (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate(null)}>
            {words.promote}
          </Button>
        )}
        {mayJudge && isAsked && (
          <>
            <Button loading={change.isPending} onClick={() => change.mutate(true)}>
              {words.accept}
            </Button>
            <Button variant="default" onClick={() => change.mutate(false)}>
              {words.reject}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
