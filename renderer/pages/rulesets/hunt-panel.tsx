// Retrohunts of one ruleset: begun, followed, cancelled. Knows nothing of the rules' text.
import { Button, Progress, TextInput } from '@mantine/core';
import { useDebouncedValue, useInputState } from '@mantine/hooks';
import type { Retrohunt } from '../../../server/contract/rules/retrohunt.ts';
import {
  isOver,
  useCancelHunt,
  useHuntEstimate,
  useHunts,
  useResumeHunt,
  useStartHunt,
} from '../../api/ruleset-queries.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { QueryState } from '../../components/page/state-panel.tsx';
import { jobTones } from '../../components/status/job-progress.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatDuration, formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

/** Milliseconds after which a search that is typed counts. */
const settledAfter = 400;
const slowShown = 5;

export function HuntStarter({ id, isSaved }: { id: string; isSaved: boolean }) {
  const start = useStartHunt(id);
  const hunts = useHunts();
  const [search, setSearch] = useInputState('');
  const latest = hunts.data?.results.find(({ rulesets }) => rulesets.some((one) => one.id === id));
  return (
    <section aria-labelledby="hunt-title">
      <h2 id="hunt-title">{words.hunt}</h2>
      <p className={styles.note}>{words.huntNote}</p>
      <form className={styles.form} onSubmit={submitting(() => start.mutate(search))}>
        <TextInput label={words.huntOver} placeholder={words.everything} value={search} onChange={setSearch} />
        <Estimate id={id} search={search} isSaved={isSaved} />
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

/** How much will be read, and the rules because of which it is everything. */
function Estimate({ id, search, isSaved }: { id: string; search: string; isSaved: boolean }) {
  const [settled] = useDebouncedValue(search, settledAfter);
  const estimate = useHuntEstimate(id, settled, isSaved);
  if (!isSaved || !estimate.isSuccess || estimate.data.apks_count === 0) return null;
  const { apks_count: all, read_count: read, seconds, rulesets } = estimate.data;
  const slow = rulesets.flatMap((ruleset) => ruleset.slow);
  return (
    <div className={styles.note} data-testid="hunt-estimate">
      {words.estimate(read, all, formatDuration(seconds * 1000))}
      {slow.length > 0 && (
        <>
          {' '}
          {words.slowRules}
          <ul>
            {slow.slice(0, slowShown).map(({ rule, reason, strings }) => (
              <li key={rule}>
                <HostileText value={rule} max={80} mono isFixed />: {words.slowReasons[reason](strings.join(', '))}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

export function HuntList({ id }: { id: string }) {
  const hunts = useHunts();
  if (!hunts.isSuccess) return <QueryState query={hunts} />;
  const own = hunts.data.results.filter(({ rulesets }) => rulesets.some((one) => one.id === id));
  if (own.length === 0) return <p className={styles.note}>{words.noHunts}</p>;
  return own.map((hunt) => <Hunt key={hunt.id} hunt={hunt} id={id} />);
}

function Hunt({ hunt, id }: { hunt: Retrohunt; id: string }) {
  const cancel = useCancelHunt();
  const resume = useResumeHunt();
  const own = hunt.rulesets.find((one) => one.id === id);
  const matches = own?.matches_count ?? hunt.matches_count;
  const fresh = own?.new_matches_count ?? hunt.new_matches_count;
  return (
    <div className={styles.line} data-testid="hunt">
      <span className={styles.grow}>
        <Chip tone={jobTones[hunt.status as keyof typeof jobTones] ?? 'quiet'}>{hunt.status}</Chip>{' '}
        {hunt.search === '' ? words.everything : <HostileText value={hunt.search} max={120} mono isFixed />} ·{' '}
        <time dateTime={hunt.created_at}>{formatFull(hunt.created_at)}</time>
        {!isOver(hunt) && <Progress value={hunt.progress * 100} aria-label={words.hunt} my={4} />}
        <span className={`${styles.soft} tabular`} role="status">
          {' '}
          {words.huntLine(hunt.scanned_count, hunt.apks_count, hunt.passed_count, matches, fresh)}
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
      {matches > 0 && <IndicatorMenu of={{ retrohunt: hunt.id }} fileName="hunt_indicators" />}
      {!isOver(hunt) && (
        <Button variant="default" onClick={() => cancel.mutate(hunt.id)}>
          {words.stop}
        </Button>
      )}
      {hunt.status === 'failed' && (
        <Button variant="default" onClick={() => resume.mutate(hunt.id)}>
          {words.resume}
        </Button>
      )}
    </div>
  );
}
