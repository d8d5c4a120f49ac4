// Accounts: made, put into groups, marked as experts, disabled, helped where a second factor is lost.
import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Analyst, type ApiGroup, apiGroups } from '../../../server/contract/people/analyst.ts';
import { useAccountChange, useAccounts, useCreateAccount, useSecondFactors } from '../../api/administration-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { AnalystLink } from '../../components/place/named-link.tsx';
import { Table } from '../../components/table/table.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { accountTexts } from '../account/texts.ts';
import { analystsTexts } from '../analysts/texts.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { SecondFactorRemoval } from './second-factor-removal.tsx';
import { administrationTexts as words } from './texts.ts';

function AccountRow({ account, secondFactor }: { account: Analyst; secondFactor: ReactNode }) {
  const change = useAccountChange();
  const { username } = account;
  return (
    <tr data-testid="account">
      <td>
        <AnalystLink username={username} />
      </td>
      <td>{analystsTexts.roles[account.role]}</td>
      <td>
        <NativeSelect
          size="xs"
          aria-label={words.groupOf(username)}
          value={account.api_group}
          data={[...apiGroups]}
          onChange={(event) => change.mutate({ username, api_group: event.currentTarget.value as ApiGroup })}
        />
      </td>
      <td>
        <Switch
          aria-label={words.expertOf(username)}
          checked={account.is_expert}
          onChange={(event) => change.mutate({ username, is_expert: event.currentTarget.checked })}
        />
      </td>
      <td>
        <Switch
          aria-label={words.enabledOf(username)}
          checked={!account.is_disabled}
          disabled={account.role === 'owner'}
          onChange={(event) => change.mutate({ username, is_disabled: !event.currentTarget.checked })}
        />
      </td>
      <td className="tabular">
        {account.last_login === account.date_joined
          ? accountTexts.never
          : formatFull(new Date(account.last_login * 1000).toISOString())}
      </td>
      <td>{secondFactor}</td>
    </tr>
  );
}

export function AccountsSection() {
  const accounts = useAccounts();
  const create = useCreateAccount();
  const { data: secondFactors } = useSecondFactors();
  if (!accounts.isSuccess) return <QueryState query={accounts} />;
  return (
    <Group title={words.sections.accounts} note={words.accountsNote}>
      <NewAccountForm
        action={words.create}
        isPending={create.isPending}
        onSubmit={(account, onSuccess) => create.mutate(account, { onSuccess })}
      />
      {create.data !== undefined && (
        <div className={`${styles.secret} ${styles.line}`} role="status">
          {words.oneTime(create.data.username)} <code>{create.data.one_time_password}</code>
          <CopyButton text={create.data.one_time_password} what={words.oneTime(create.data.username)} />
        </div>
      )}
      <Table columns={Object.values(words.columns)}>
        {accounts.data.results.map((account) => (
          <AccountRow
            key={account.username}
            account={account}
            secondFactor={
              secondFactors && (
                <SecondFactorRemoval username={account.username} since={secondFactors.get(account.username)} />
              )
            }
          />
        ))}
      </Table>
    </Group>
  );
}
