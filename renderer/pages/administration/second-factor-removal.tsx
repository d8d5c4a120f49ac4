// Whether an account has a second factor, and its removal for somebody who lost it, asked for twice.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSecondFactorReset } from '../../api/administration-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { formatFull } from '../../components/text/format.ts';
import { texts } from '../../texts.ts';
import { administrationTexts as words } from './texts.ts';

/** @param since when codes are asked for; undefined: there is no second factor */
export function SecondFactorRemoval({ username, since }: { username: string; since: string | undefined }) {
  const reset = useSecondFactorReset();
  const [isConfirming, setConfirming] = useState(false);
  if (since === undefined) return <span className={styles.aside}>{words.noSecondFactor}</span>;
  if (!isConfirming) {
    return (
      <div className={styles.inline}>
        <span className="tabular">{words.secondFactorSince(formatFull(since))}</span>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={words.removeSecondFactorOf(username)}
          onClick={() => setConfirming(true)}
        >
          {words.removeSecondFactor}
        </Button>
      </div>
    );
  }
  return (
    <div role="alertdialog" aria-label={words.removeSecondFactorOf(username)} className={styles.asked}>
      <p>{words.removeSecondFactorAsked(username)}</p>
      <div className={styles.inline}>
        <Button
          color="red.8"
          size="compact-sm"
          loading={reset.isPending}
          onClick={() => reset.mutate(username, { onSuccess: () => setConfirming(false) })}
        >
          {words.removeSecondFactor}
        </Button>
        <Button variant="default" size="compact-sm" autoFocus onClick={() => setConfirming(false)}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
