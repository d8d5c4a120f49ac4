// What gets into the account: the tokens of programs and the sessions of windows, each until it is taken back.
import { Button, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useCreateToken, useRevokeSession, useRevokeToken, useSessions, useTokens } from '../../api/people-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { accountTexts as words } from './texts.ts';

const action: Column = { label: words.columns.action, as: 'hidden' };
const when = (time: string | null) => (time === null ? words.never : formatFull(time));

export function TokensSection() {
  const tokens = useTokens();
  const create = useCreateToken();
  const revoke = useRevokeToken();
  const [name, setName] = useInputState('');
  if (!tokens.isSuccess) return <QueryState query={tokens} />;
  return (
    <Group title={words.sections.tokens} note={words.tokensNote}>
      <form
        className={styles.fields}
        onSubmit={submitting(() => create.mutate(name, { onSuccess: () => setName('') }))}
      >
        <div className={styles.pair}>
          <TextInput label={words.tokenName} value={name} onChange={setName} maxLength={100} />
          <Button type="submit" loading={create.isPending}>
            {words.createToken}
          </Button>
        </div>
      </form>
      {create.data !== undefined && (
        <div className={`${styles.secret} ${styles.line}`} role="status">
          {words.newToken} <code data-testid="new-token">{create.data.token}</code>
          <CopyButton text={create.data.token} what={words.sections.tokens} />
        </div>
      )}
      {tokens.data.results.length === 0 ? (
        <p className={styles.empty}>{words.noTokens}</p>
      ) : (
        <Table columns={[words.columns.name, words.columns.created, words.columns.used, action]}>
          {tokens.data.results.map((token) => (
            <tr key={token.id}>
              <td>
                <HostileText value={token.name} max={100} />
              </td>
              <td className="tabular">{when(token.created_at)}</td>
              <td className="tabular">{when(token.last_used_at)}</td>
              <td>
                <RowDeletion
                  text={words.revoke}
                  label={words.revokeLabel(token.name)}
                  onClick={() => revoke.mutate(token.id)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Group>
  );
}

export function SessionsSection() {
  const sessions = useSessions();
  const revoke = useRevokeSession();
  if (!sessions.isSuccess) return <QueryState query={sessions} />;
  return (
    <Group title={words.sections.sessions} note={words.sessionsNote}>
      <Table
        columns={[
          words.columns.name,
          words.columns.created,
          words.columns.used,
          words.columns.ends,
          words.columns.expires,
          action,
        ]}
      >
        {sessions.data.results.map((session) => (
          <tr key={session.id} data-testid="session">
            <td>
              <HostileText value={session.name} max={120} />
            </td>
            <td className="tabular">{when(session.created_at)}</td>
            <td className="tabular">{when(session.last_used_at)}</td>
            <td className="tabular">{when(session.ends_at)}</td>
            <td className="tabular">{when(session.expires_at)}</td>
            <td>
              {session.is_current ? (
                words.current
              ) : (
                <RowDeletion
                  text={words.end}
                  label={words.endLabel(session.name)}
                  onClick={() => revoke.mutate(session.id)}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Group>
  );
}
