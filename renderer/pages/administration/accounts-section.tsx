// Accounts: made, given roles and groups, marked as experts, disabled, helped where a password or a second factor is lost.
import { Button, NativeSelect, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { roles } from '../../../server/contract/people/account.ts';
import { type Analyst, type ApiGroup, apiGroups } from '../../../server/contract/people/analyst.ts';
import {
  useAccountChange,
  useAccounts,
  useCreateAccount,
  usePasswordReset,
  useSecondFactors,
} from '../../api/administration-queries.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { AnalystLink } from '../../components/place/named-link.tsx';
import { Table } from '../../components/table/table.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { useSession } from '../../state/session.ts';
import { accountTexts } from '../account/texts.ts';
import { analystsTexts } from '../analysts/texts.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { SecondFactorRemoval } from './second-factor-removal.tsx';
import { administrationTexts as words } from './texts.ts';

interface AccountRowProps {
  account: Analyst;
  secondFactor: ReactNode;
  /** null: one's own, which is changed in one's account. */
  onReset: (() => void) | null;
}

function AccountRow({ account, secondFactor, onReset }: AccountRowProps) {
  const change = useAccountChange();
  const { username } = account;
  return (
    <tr data-testid="account">
      <td>
        <AnalystLink username={username} />
      </td>
      <td>
        <NativeSelect
          size="xs"
          aria-label={words.roleOf(username)}
          value={account.role}
          data={roles.map((role) => ({ value: role, label: analystsTexts.roles[role] }))}
          onChange={(event) => change.mutate({ username, role: event.currentTarget.value as Analyst['role'] })}
        />
      </td>
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
      <td className="tabular" title={formatFull(new Date(account.last_login * 1000).toISOString())}>
        {account.last_login === account.date_joined
          ? accountTexts.never
          : formatWhen(new Date(account.last_login * 1000).toISOString())}
      </td>
      <td>{secondFactor}</td>
      <td>
        {onReset !== null && (
          <Button variant="subtle" size="compact-sm" aria-label={words.resetPasswordOf(username)} onClick={onReset}>
            {words.resetPassword}
          </Button>
        )}
      </td>
    </tr>
  );
}

const OneTimePassword = ({ username, password }: { username: string; password: string }) => (
  <div className={`${styles.secret} ${styles.line}`} role="status">
    {words.oneTime(username)} <code>{password}</code>
    <CopyButton text={password} what={words.oneTime(username)} />
  </div>
);

export function AccountsSection() {
  const accounts = useAccounts();
  const create = useCreateAccount();
  const reset = usePasswordReset();
  /** Whose password is asked about. */
  const [resetting, setResetting] = useState<string | null>(null);
  const own = useSession(({ session }) => session?.username);
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
        <OneTimePassword username={create.data.username} password={create.data.one_time_password} />
      )}
      {reset.data !== undefined && (
        <OneTimePassword username={reset.variables} password={reset.data.one_time_password} />
      )}
      <ConfirmDialog
        isOpen={resetting !== null}
        onClose={() => setResetting(null)}
        title={words.resetPasswordOf(resetting ?? '')}
        action={words.resetPassword}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate(resetting ?? '', { onSettled: () => setResetting(null) })}
      >
        {words.resetPasswordAsked(resetting ?? '')}
      </ConfirmDialog>
      <Table columns={Object.values(words.columns)}>
        {accounts.data.results.map((account) => (
          <AccountRow
            key={account.username}
            account={account}
            onReset={account.username === own ? null : () => setResetting(account.username)}
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
