// Rules proposed from chosen APKs: how far it is, their literals with reasons, what they meet, and the way to the editor.
import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { RuleProposal } from '../../../server/contract/rules/rule-proposal.ts';
import { useCancelProposal, useProposal, useSaveProposal } from '../../api/proposal-queries.ts';
import { isOver } from '../../api/ruleset-queries.ts';
import { Page } from '../../components/page/page.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { ApkLink } from '../../components/place/named-link.tsx';
import { type Column, NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { LiteralTable } from './literal-table.tsx';
import styles from './proposal.module.css';
import { proposalTexts as words } from './texts.ts';

const { rule: ruleName, ...figures } = words.ruleColumns;
const columns: Column[] = [ruleName, ...Object.values(figures).map((label): Column => ({ label, as: 'number' }))];

export function Component() {
  const { id = '' } = useParams();
  const proposal = useProposal(id);
  if (!proposal.isSuccess) return <QueryState query={proposal} isPage />;
  return <Proposal proposal={proposal.data} />;
}

function Proposal({ proposal }: { proposal: RuleProposal }) {
  const hasRules = proposal.rules !== '';
  return (
    <Page
      title={words.heading}
      bar={
        <span className={styles.soft}>
          <HostileText value={proposal.name} max={100} isFixed />
        </span>
      }
      actions={hasRules && <Saving proposal={proposal} />}
    >
      {isOver(proposal) ? <Outcome proposal={proposal} /> : <Running proposal={proposal} />}
    </Page>
  );
}

function Saving({ proposal: { name, rules } }: { proposal: RuleProposal }) {
  const navigate = useNavigate();
  const save = useSaveProposal();
  const run = (isHunting: boolean) =>
    save.mutate(
      { name, rules, isHunting },
      { onSuccess: ({ id }) => void navigate(`/rulesets/${id}${isHunting ? '/hunts' : ''}`) },
    );
  return (
    <>
      <Button variant="default" title={words.editHint} loading={save.isPending} onClick={() => run(false)}>
        {words.edit}
      </Button>
      <Button title={words.huntHint} loading={save.isPending} onClick={() => run(true)}>
        {words.hunt}
      </Button>
    </>
  );
}

function Running({ proposal: { id, progress, stage } }: { proposal: RuleProposal }) {
  const cancel = useCancelProposal(id);
  return (
    <div className={styles.running}>
      <p role="status">{words.stages[stage] ?? words.waiting}</p>
      <Progress value={progress * 100} aria-label={words.heading} mb="sm" />
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {words.stop}
      </Button>
    </div>
  );
}

function Outcome({ proposal }: { proposal: RuleProposal }) {
  const { status, error, literals, rules } = proposal;
  if (status === 'failed') {
    return (
      <StatePanel icon="warning" title={words.failed(error ?? '')}>
        {words.again}
      </StatePanel>
    );
  }
  if (literals.length === 0) {
    return (
      <StatePanel icon="search" title={words.none}>
        {words.noneText}
        <Failures proposal={proposal} />
      </StatePanel>
    );
  }
  return (
    <div className={styles.columns}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={words.literals}>
        <h2>{words.literals}</h2>
        <LiteralTable proposal={proposal} />
      </section>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={words.coverage}>
        <h2>{words.coverage}</h2>
        <Coverage proposal={proposal} />
        <h2>{words.text}</h2>
        {rules === '' ? (
          <p className={styles.soft}>{words.noneLeft}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keys
          <section className={styles.rules} tabIndex={0} aria-label={words.text}>
            <pre>{rules}</pre>
          </section>
        )}
      </section>
    </div>
  );
}

function Coverage({ proposal }: { proposal: RuleProposal }) {
  const good = proposal.known_good_hits_count;
  const others = proposal.false_hits_count - good;
  const missed = proposal.chosen.filter(({ rules }) => rules.length === 0);
  return (
    <>
      <p data-testid="coverage">
        <Chip tone={missed.length === 0 ? 'good' : 'medium'}>
          {words.met(proposal.met_count, proposal.chosen.length)}
        </Chip>{' '}
        <Chip tone={good > 0 ? 'high' : others > 0 ? 'medium' : 'good'}>
          {words.falseHits(good, proposal.known_good_count, others, proposal.others_count)}
        </Chip>
      </p>
      <p className={styles.soft}>{proposal.known_good_count === 0 ? words.noGood : words.triedOn}</p>
      <Table columns={columns}>
        {proposal.proposed.map(({ name, least, literals_count, ...counts }) => (
          <tr key={name}>
            <td>
              <HostileText value={name} max={120} mono />
            </td>
            <NumberCell>{words.least(least, literals_count)}</NumberCell>
            <NumberCell>{formatCount(counts.chosen_count)}</NumberCell>
            <NumberCell>{formatCount(counts.known_good_count)}</NumberCell>
            <NumberCell>{formatCount(counts.others_count)}</NumberCell>
          </tr>
        ))}
      </Table>
      {missed.length > 0 && (
        <ApkList title={words.missed(missed.length)} apks={missed.map(({ apk }) => ({ apk, beside: null }))} />
      )}
      {proposal.false_hits.length > 0 && (
        <ApkList
          title={words.hits(proposal.false_hits_count)}
          apks={proposal.false_hits.map(({ apk, is_known_good, rules }) => ({
            apk,
            beside: (
              <>
                {is_known_good && <Chip tone="high">{words.knownGood}</Chip>}{' '}
                <span className={styles.soft}>{rules.join(', ')}</span>
              </>
            ),
          }))}
        />
      )}
      {proposal.false_hits.length < proposal.false_hits_count && (
        <p className={styles.soft}>{words.firstHits(proposal.false_hits.length, proposal.false_hits_count)}</p>
      )}
      <Failures proposal={proposal} />
    </>
  );
}

function Failures({ proposal: { failures } }: { proposal: RuleProposal }) {
  if (failures.length === 0) return null;
  return (
    <ApkList
      title={words.failures(failures.length)}
      apks={failures.map(({ apk, message }) => ({ apk, beside: <HostileText value={message} max={200} /> }))}
    />
  );
}

type Apk = RuleProposal['chosen'][number]['apk'];

function ApkList({ title, apks }: { title: string; apks: readonly { apk: Apk; beside: ReactNode }[] }) {
  return (
    <>
      <h2>{title}</h2>
      <ul className={styles.apks}>
        {apks.map(({ apk, beside }) => (
          <li key={apk.sha256}>
            <ApkLink apk={apk} title={apk.sha256} /> <code className={styles.soft}>{apk.sha256.slice(0, 12)}</code>{' '}
            {beside}
          </li>
        ))}
      </ul>
    </>
  );
}
