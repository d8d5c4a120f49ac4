// Accounts: made, put into groups, marked as experts, disabled.
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAccountChange, useAccounts, useCreateAccount } from '../../api/administration-queries.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatFull } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import styles from '../../components/section-page.module.css';
import { Group } from '../../components/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { Table } from '../../components/table.tsx';
import { texts } from '../../texts.ts';

const words = texts.administration;
/** The contract's `apiGroups`, kept here so that no schema library is bundled for a list. */
export const groups = ['basic', 'bronze', 'silver', 'gold', 'workstation'];
const failed = (error: Error) => notifications.show({ color: 'red', message: error.message });

export function AccountsSection() {
  const accounts = useAccounts();
  const create = useCreateAccount();
  const change = useAccountChange();
  const [username, setUsername] = useState('');
  const [group, setGroup] = useState('basic');
  if (accounts.isPending) return <LoadingPanel />;
  if (accounts.isError) return <ErrorPanel error={accounts.error} onRetry={() => void accounts.refetch()} />;
  return (
    <Group title={words.sections.accounts} note={words.accountsNote}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(
            { username, api_group: group as 'basic' },
            { onSuccess: () => setUsername(''), onError: failed },
          );
        }}
      >
        <div className={styles.pair}>
          <TextInput
            label={words.newName}
            value={username}
            required
            withAsterisk={false}
            maxLength={150}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <NativeSelect
            label={words.group}
            value={group}
            data={groups}
            onChange={(event) => setGroup(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            {words.create}
          </Button>
        </div>
      </form>
      {create.data !== undefined && (
        <div className={styles.secret} role="status">
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
            <td>{texts.analysts.roles[account.role]}</td>
            <td>
              <NativeSelect
                size="xs"
                aria-label={words.groupOf(account.username)}
                value={account.api_group}
                data={groups}
                onChange={(event) =>
                  change.mutate(
                    { username: account.username, api_group: event.currentTarget.value as 'basic' },
                    { onError: failed },
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
                    { onError: failed },
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
                    { onError: failed },
                  )
                }
              />
            </td>
            <td className="tabular">
              {account.last_login === account.date_joined
                ? texts.account.never
                : formatFull(new Date(account.last_login * 1000).toISOString())}
            </td>
          </tr>
        ))}
      </Table>
    </Group>
  );
}
