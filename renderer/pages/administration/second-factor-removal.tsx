// Whether an account has a second factor, and its removal for somebody who lost it, asked for twice.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSecondFactorReset } from '../../api/administration-queries.ts';
import { formatFull } from '../../components/format.ts';
import styles from '../../components/section-page.module.css';
import { tellError } from '../../components/tell-error.ts';
import { texts } from '../../texts.ts';

const words = texts.administration;

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
          onClick={() => reset.mutate(username, { onSuccess: () => setConfirming(false), onError: tellError })}
        >
          {words.removeSecondFactor}
        </Button>
        <Button variant="default" size="compact-sm" autoFocus onClick={() => setConfirming(false)}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}
