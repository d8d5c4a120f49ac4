// Retrohunts of one ruleset: begun, followed, cancelled. Knows nothing of the rules' text.
import { Button, Progress, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Retrohunt } from '../../../server/contract/rules/retrohunt.ts';
import { isOver, useCancelHunt, useHunts, useStartHunt } from '../../api/ruleset-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatDuration, formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

const tones: Record<string, Tone> = {
  done: 'good',
  partial: 'medium',
  failed: 'high',
  running: 'info',
  queued: 'quiet',
};

export function HuntStarter({ id, isSaved }: { id: string; isSaved: boolean }) {
  const start = useStartHunt(id);
  const hunts = useHunts();
  const [search, setSearch] = useState('');
  const latest = hunts.data?.results.find(({ rulesets }) => rulesets.some((one) => one.id === id));
  return (
    <section aria-labelledby="hunt-title">
      <h2 id="hunt-title">{words.hunt}</h2>
      <p className={styles.note}>{words.huntNote}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(search, { onError: tellError });
        }}
      >
        <TextInput
          label={words.huntOver}
          placeholder={words.everything}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button type="submit" variant="default" disabled={!isSaved} loading={start.isPending}>
            {words.start}
          </Button>
        </div>
      </form>
      {latest !== undefined && <Hunt hunt={latest} id={id} />}
    </section>
  );
}

export function HuntList({ id }: { id: string }) {
  const hunts = useHunts();
  if (hunts.isPending) return <LoadingPanel />;
  if (hunts.isError) return <ErrorPanel error={hunts.error} onRetry={() => void hunts.refetch()} />;
  const own = hunts.data.results.filter(({ rulesets }) => rulesets.some((one) => one.id === id));
  if (own.length === 0) return <p className={styles.note}>{words.noHunts}</p>;
  return own.map((hunt) => <Hunt key={hunt.id} hunt={hunt} id={id} />);
}

function Hunt({ hunt, id }: { hunt: Retrohunt; id: string }) {
  const cancel = useCancelHunt();
  const own = hunt.rulesets.find((one) => one.id === id);
  const matches = own?.matches_count ?? hunt.matches_count;
  const fresh = own?.new_matches_count ?? hunt.new_matches_count;
  return (
    <div className={styles.line} data-testid="hunt">
      <span className={styles.grow}>
        <Chip tone={tones[hunt.status] ?? 'quiet'}>{hunt.status}</Chip>{' '}
        {hunt.search === '' ? words.everything : <HostileText value={hunt.search} max={120} mono isFixed />} ·{' '}
        <time dateTime={hunt.created_at}>{formatFull(hunt.created_at)}</time>
        {!isOver(hunt) && <Progress value={hunt.progress * 100} aria-label={words.hunt} my={4} />}
        <span className={`${styles.soft} tabular`} role="status">
          {' '}
          {words.huntLine(hunt.scanned_count, hunt.apks_count, matches, fresh)}
          {hunt.rate !== null && !isOver(hunt) && ` · ${words.rate(hunt.rate)}`}
          {hunt.seconds_left !== null && !isOver(hunt) && ` · ${words.left(formatDuration(hunt.seconds_left * 1000))}`}
        </span>
        {hunt.failed_count > 0 && <span className={styles.error}> {words.huntFailures(hunt.failed_count)}</span>}
        {hunt.error !== null && (
          <span className={styles.error}>
            {' '}
            <HostileText value={hunt.error} max={300} />
          </span>
        )}
      </span>
      {!isOver(hunt) && (
        <Button variant="default" onClick={() => cancel.mutate(hunt.id, { onError: tellError })}>
          {words.stop}
        </Button>
      )}
    </div>
  );
}
