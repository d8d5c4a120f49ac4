// Accounts: made, put into groups, marked as experts, disabled, helped where a second factor is lost.
import { NativeSelect, Switch } from '@mantine/core';
import { Link } from 'react-router';
import { type ApiGroup, apiGroups } from '../../../server/contract/people/analyst.ts';
import { useAccountChange, useAccounts, useCreateAccount, useSecondFactors } from '../../api/administration-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { Table } from '../../components/table/table.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { accountTexts } from '../account/texts.ts';
import { analystsTexts } from '../analysts/texts.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { SecondFactorRemoval } from './second-factor-removal.tsx';
import { administrationTexts as words } from './texts.ts';

export function AccountsSection() {
  const accounts = useAccounts();
  const create = useCreateAccount();
  const change = useAccountChange();
  const secondFactors = useSecondFactors();
  if (accounts.isPending) return <LoadingPanel />;
  if (accounts.isError) return <ErrorPanel error={accounts.error} onRetry={() => void accounts.refetch()} />;
  return (
    <Group title={words.sections.accounts} note={words.accountsNote}>
      <NewAccountForm
        action={words.create}
        isPending={create.isPending}
        onSubmit={(account, onSuccess) => create.mutate(account, { onSuccess, onError: tellError })}
      />
      {create.data !== undefined && (
        <div className={`${styles.secret} ${styles.line}`} role="status">
          {words.oneTime(create.data.username)} <code>{create.data.one_time_password}</code>
          <CopyButton text={create.data.one_time_password} what={words.oneTime(create.data.username)} />
        </div>
      )}
      <Table columns={Object.values(words.columns)}>
        {accounts.data.results.map((account) => (
          <tr key={account.username} data-testid="account">
            <td>
              <Link to={`/analysts/${encodeURIComponent(account.username)}`}>
                <HostileText value={account.username} max={80} isFixed />
              </Link>
            </td>
            <td>{analystsTexts.roles[account.role]}</td>
            <td>
              <NativeSelect
                size="xs"
                aria-label={words.groupOf(account.username)}
                value={account.api_group}
                data={[...apiGroups]}
                onChange={(event) =>
                  change.mutate(
                    { username: account.username, api_group: event.currentTarget.value as ApiGroup },
                    { onError: tellError },
                  )
                }
              />
            </td>
            <td>
              <Switch
                aria-label={words.expertOf(account.username)}
                checked={account.is_expert}
                onChange={(event) =>
                  change.mutate(
                    { username: account.username, is_expert: event.currentTarget.checked },
                    { onError: tellError },
                  )
                }
              />
            </td>
            <td>
              <Switch
                aria-label={words.enabledOf(account.username)}
                checked={!account.is_disabled}
                disabled={account.role === 'owner'}
                onChange={(event) =>
                  change.mutate(
                    { username: account.username, is_disabled: !event.currentTarget.checked },
                    { onError: tellError },
                  )
                }
              />
            </td>
            <td className="tabular">
              {account.last_login === account.date_joined
                ? accountTexts.never
                : formatFull(new Date(account.last_login * 1000).toISOString())}
            </td>
            <td>
              {secondFactors.data !== undefined && (
                <SecondFactorRemoval username={account.username} since={secondFactors.data.get(account.username)} />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Group>
  );
}
