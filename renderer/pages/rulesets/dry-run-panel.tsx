// Tries the rules in the editor on APKs before they are saved. Knows the text, not the ruleset.
import { Button, Checkbox, Progress, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import type { DryRun } from '../../../server/contract/rules/dry-run.ts';
import { isOver, useCancelDryRun, useDryRun, useStartDryRun } from '../../api/ruleset-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { type Column, NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { MatchList } from './match-list.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

const { rule: ruleName, ...figures } = words.ranColumns;
const columns: Column[] = [ruleName, ...Object.values(figures).map((label): Column => ({ label, as: 'number' }))];

export function DryRunPanel({ rules, isValid }: { rules: string; isValid: boolean }) {
  const start = useStartDryRun();
  const cancel = useCancelDryRun();
  const [id, setId] = useState<string | null>(null);
  const [search, setSearch] = useInputState('');
  const [isKnownGood, setKnownGood] = useInputState(true);
  const run = useDryRun(id);
  const isRunning = run.data !== undefined && !isOver(run.data);
  return (
    <section aria-labelledby="dry-run-title">
      <h2 id="dry-run-title">{words.tryOut}</h2>
      <p className={styles.note}>{words.tryOutNote}</p>
      <form
        className={styles.form}
        onSubmit={submitting(() =>
          start.mutate({ rules, search, known_good: isKnownGood }, { onSuccess: (begun) => setId(begun.id) }),
        )}
      >
        <TextInput label={words.tryOn} placeholder={words.tryOnAll} value={search} onChange={setSearch} />
        <Checkbox label={words.knownGood} checked={isKnownGood} onChange={setKnownGood} />
        <div className={styles.actions}>
          <Button type="submit" disabled={!isValid || isRunning} loading={start.isPending}>
            {words.run}
          </Button>
          {isRunning && id !== null && (
            <Button variant="default" onClick={() => cancel.mutate(id)}>
              {words.stop}
            </Button>
          )}
        </div>
      </form>
      <div role="alert">
        {start.isError && <p className={styles.error}>{start.error.message}</p>}
        {run.isError && <p className={styles.error}>{run.error.message}</p>}
      </div>
      {run.data !== undefined && <Outcome run={run.data} />}
    </section>
  );
}

function Outcome({ run }: { run: DryRun }) {
  const all = run.apks_count + run.known_good_count;
  if (!isOver(run)) {
    return (
      <div role="status">
        <Progress value={run.progress * 100} aria-label={words.tryOut} mt="xs" />
        <p className={styles.note}>{words.running(run.scanned_count, all)}</p>
      </div>
    );
  }
  if (run.status === 'failed') return <p className={styles.error}>{words.runFailed(run.error ?? '')}</p>;
  const { timing } = run;
  const matched = run.matches_count + run.known_good_matches_count;
  return (
    <div data-testid="dry-run-result">
      <p role="status">
        {words.ranOn(run.apks_count, run.known_good_count, run.matches_count, run.known_good_matches_count)}
      </p>
      {run.is_capped && <p className={styles.note}>{words.capped}</p>}
      {run.slow.map(({ rule, message }) => (
        <p key={rule} className={styles.error}>
          <HostileText value={message} max={300} />
        </p>
      ))}
      {timing.unit === 'ruleset' && (
        <p className={styles.note}>
          {words.untimed} {words.milliseconds(timing.scan_ms)}
        </p>
      )}
      <Table columns={columns}>
        {run.rules.map((rule) => (
          <tr key={rule.name}>
            <td>
              <HostileText value={rule.name} max={80} mono />
              <br />
              <span className={styles.soft}>
                {rule.strings.map(({ identifier, hits }) => words.hits(identifier, hits)).join(', ')}
              </span>
            </td>
            <NumberCell>{formatCount(rule.matches_count)}</NumberCell>
            <NumberCell>{formatCount(rule.known_good_matches_count)}</NumberCell>
            <NumberCell>{rule.milliseconds === null ? '' : words.milliseconds(rule.milliseconds)}</NumberCell>
          </tr>
        ))}
      </Table>
      {run.matches.length > 0 && (
        <MatchList
          fileName="dry-run.csv"
          testId="dry-run-match"
          matches={run.matches.map(({ apk, is_known_good, rules_matched }) => ({
            apk,
            rules: rules_matched,
            beside: is_known_good && <Chip tone="high">{words.goodMatch}</Chip>,
          }))}
        />
      )}
      {matched > run.matches.length && <p className={styles.note}>{words.firstMatches(run.matches.length, matched)}</p>}
      {run.failures.map(({ apk, message }) => (
        <p key={apk.sha256} className={styles.error}>
          <HostileText value={`${apk.app || apk.sha256}: ${message}`} max={300} />
        </p>
      ))}
    </div>
  );
}
