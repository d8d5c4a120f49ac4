// The literals of proposed rules with the reasons for each, and a switch to do without it. Knows no job.
import { Checkbox } from '@mantine/core';
import { Fragment } from 'react';
import { literalGroups, type RuleProposal } from '../../../server/contract/rules/rule-proposal.ts';
import { useLeaveOut } from '../../api/proposal-queries.ts';
import { type Column, Table } from '../../components/table/table.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './proposal.module.css';
import { proposalTexts as words } from './texts.ts';

type Literal = RuleProposal['literals'][number];

const { use, literal, reason } = words.literalColumns;
const columns: Column[] = [{ label: use, as: 'hidden' }, literal, reason];

function LiteralRow({ literal, onUse }: { literal: Literal; onUse: (isUsed: boolean) => void }) {
  const { id, source, where, is_left_out: isOut } = literal;
  return (
    <tr data-testid="literal">
      <td>
        <Checkbox
          size="xs"
          aria-label={words.use(id)}
          checked={!isOut}
          onChange={(event) => onUse(event.currentTarget.checked)}
        />
      </td>
      <td className={styles.source}>
        <span className={isOut ? styles.out : undefined}>
          <HostileText value={source} max={300} mono />
        </span>
        {where !== '' && (
          <div className={styles.soft}>
            <HostileText value={where} max={160} mono isFixed />
          </div>
        )}
      </td>
      <td>{literal.reason}</td>
    </tr>
  );
}

export function LiteralTable({ proposal }: { proposal: RuleProposal }) {
  const leaveOut = useLeaveOut(proposal.id);
  const out = proposal.literals.filter((literal) => literal.is_left_out).map(({ id }) => id);
  const change = (id: string, isUsed: boolean) =>
    leaveOut.mutate(isUsed ? out.filter((other) => other !== id) : [...out, id]);
  return (
    <Table columns={columns}>
      {literalGroups.map((group) => {
        const literals = proposal.literals.filter((literal) => literal.group === group);
        if (literals.length === 0) return null;
        return (
          <Fragment key={group}>
            <tr className={styles.group}>
              <td colSpan={columns.length}>{words.groups[group]}</td>
            </tr>
            {literals.map((literal) => (
              <LiteralRow key={literal.id} literal={literal} onUse={(isUsed) => change(literal.id, isUsed)} />
            ))}
          </Fragment>
        );
      })}
    </Table>
  );
}
