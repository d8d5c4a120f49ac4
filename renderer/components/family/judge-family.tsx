// A verdict on all APKs of a family at once, asked for before it is said. Knows nothing of where the family is shown.
import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Family } from '../../../server/contract/catalogue/family.ts';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { useJudgeFamily } from '../../api/family-queries.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { VerdictForm } from '../verdict/verdict-form.tsx';
import { familyTexts as words } from './texts.ts';

interface JudgeFamilyProps {
  family: Pick<Family, 'id' | 'name' | 'apks_count'>;
  /** The verdict that is offered; null: the dialog is closed. */
  verdict: Verdict | null;
  onClose: () => void;
  onJudged?: () => void;
}

/** As on an APK's page; while it is asked they choose. */
const verdictKeys: Readonly<Record<string, Verdict>> = { M: 'malicious', S: 'suspicious', C: 'clean', U: 'unknown' };

export function JudgeFamily({ family: { id, name, apks_count: count }, verdict, onClose, onJudged }: JudgeFamilyProps) {
  const judge = useJudgeFamily(id);
  const [offered, setOffered] = useState(verdict);
  useEffect(() => setOffered(verdict), [verdict]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { target, key } = event;
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    const chosen = verdictKeys[key.toUpperCase()];
    if (key === 'Enter') target.form?.requestSubmit();
    else if (chosen === undefined) return;
    else setOffered(chosen);
    event.preventDefault();
  };
  return (
    <Modal opened={verdict !== null} onClose={onClose} title={words.judgeTitle(count)} size="lg">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that the form's own controls have too */}
      <div onKeyDown={onKeyDown} data-testid="judge-family">
        <p>
          <b>
            <HostileText value={name} max={100} isFixed />
          </b>
          <br />
          {words.judgeText}
        </p>
        <VerdictForm
          key={offered}
          initial={{ verdict: offered ?? 'unknown', family: '' }}
          isPending={judge.isPending}
          onSay={({ verdict: said, family, note }) =>
            judge.mutate(
              { verdict: said, note, ...(family === '' ? {} : { family }) },
              {
                onSuccess: ({ job, done, count: all }) => {
                  notifications.show({ message: job === null ? words.judged(done) : words.judging(all) });
                  onClose();
                  onJudged?.();
                },
              },
            )
          }
        />
      </div>
    </Modal>
  );
}
