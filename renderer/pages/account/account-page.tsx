// One's own account: profile, what one is told of, tokens, sessions, use of the limits.
import { Button, FileButton, Progress, Switch, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import type { Account } from '../../../server/contract/account.ts';
import {
  useAccountUpdate,
  useAvatarRemoval,
  useCreateToken,
  useRevokeSession,
  useRevokeToken,
  useSessions,
  useStatistics,
  useTokens,
} from '../../api/people-queries.ts';
import { useAccount } from '../../api/queries.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatFull } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import styles from '../../components/section-page.module.css';
import { Group, SectionPage } from '../../components/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { tellError } from '../../components/tell-error.ts';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import { Avatar } from '../analysts/avatar.tsx';

const words = texts.account;
const action: Column = { label: words.columns.action, as: 'hidden' };
const saved = () => notifications.show({ message: words.saved });

function ProfileSection({ account }: { account: Account }) {
  const update = useAccountUpdate();
  const removal = useAvatarRemoval();
  const [fields, setFields] = useState({
    first_name: account.first_name,
    last_name: account.last_name,
    email: account.email,
    occupation: account.profile.occupation,
    biography: account.profile.biography,
    twitter: account.profile.twitter,
  });
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setFields((known) => ({ ...known, [name]: value }));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { first_name, last_name, email, ...profile } = fields;
    update.mutate({ first_name, last_name, email, profile }, { onSuccess: saved });
  };
  const choosePicture = async (file: File | null) => {
    if (file === null) return;
    update.mutate({ profile: { avatar: await dataUrlOf(file) } }, { onSuccess: saved, onError: tellError });
  };
  return (
    <>
      <Group title={words.avatar} note={words.avatarNote}>
        <div className={styles.actions}>
          <Avatar url={account.profile.avatar} name={account.username} size={64} />
          <FileButton accept="image/png,image/jpeg,image/gif,image/webp" onChange={(file) => void choosePicture(file)}>
            {(props) => (
              <Button variant="default" loading={update.isPending} {...props}>
                {words.choosePicture}
              </Button>
            )}
          </FileButton>
          {account.profile.avatar !== '' && (
            <Button variant="subtle" color="gray" onClick={() => removal.mutate(undefined, { onError: tellError })}>
              {words.removePicture}
            </Button>
          )}
        </div>
      </Group>
      <Group title={account.username}>
        <form className={styles.fields} onSubmit={save}>
          <div className={styles.pair}>
            <TextInput label={words.firstName} value={fields.first_name} onChange={set('first_name')} maxLength={150} />
            <TextInput label={words.lastName} value={fields.last_name} onChange={set('last_name')} maxLength={150} />
          </div>
          <TextInput label={words.email} type="email" value={fields.email} onChange={set('email')} />
          <TextInput label={words.occupation} value={fields.occupation} onChange={set('occupation')} maxLength={200} />
          <TextInput label={words.twitter} value={fields.twitter} onChange={set('twitter')} maxLength={100} />
          <Textarea
            label={words.biography}
            value={fields.biography}
            onChange={set('biography')}
            autosize
            minRows={3}
            maxLength={10_000}
          />
          {update.isError && (
            <p role="alert" className={styles.error}>
              {update.error.message}
            </p>
          )}
          <div className={styles.actions}>
            <Button type="submit" loading={update.isPending}>
              {words.save}
            </Button>
          </div>
        </form>
      </Group>
    </>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(words.choosePicture));
    reader.readAsDataURL(file);
  });
}

const noticeNames = Object.keys(words.settings) as (keyof typeof words.settings)[];

function NoticesSection({ account }: { account: Account }) {
  const update = useAccountUpdate();
  const group = (title: string, prefix: string, note?: string) => (
    <Group title={title} {...(note === undefined ? {} : { note })}>
      <div className={styles.fields}>
        {noticeNames
          .filter((name) => name.startsWith(prefix))
          .map((name) => (
            <Switch
              key={name}
              label={words.settings[name]}
              checked={account.settings[name]}
              onChange={(event) =>
                update.mutate({ settings: { [name]: event.currentTarget.checked } }, { onError: tellError })
              }
            />
          ))}
      </div>
    </Group>
  );
  return (
    <>
      {group(words.noticesTitle, 'notify_')}
      {group(words.emailsTitle, 'email_', words.emailsNote)}
    </>
  );
}

const when = (time: string | null) => (time === null ? words.never : formatFull(time));

function TokensSection() {
  const tokens = useTokens();
  const create = useCreateToken();
  const revoke = useRevokeToken();
  const [name, setName] = useState('');
  if (tokens.isPending) return <LoadingPanel />;
  if (tokens.isError) return <ErrorPanel error={tokens.error} onRetry={() => void tokens.refetch()} />;
  return (
    <Group title={words.sections.tokens} note={words.tokensNote}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(name, { onSuccess: () => setName(''), onError: tellError });
        }}
      >
        <div className={styles.pair}>
          <TextInput
            label={words.tokenName}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
          />
          <Button type="submit" loading={create.isPending}>
            {words.createToken}
          </Button>
        </div>
      </form>
      {create.data !== undefined && (
        <div className={styles.secret} role="status">
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
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={words.revokeLabel(token.name)}
                  onClick={() => revoke.mutate(token.id, { onError: tellError })}
                >
                  {words.revoke}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Group>
  );
}

function SessionsSection() {
  const sessions = useSessions();
  const revoke = useRevokeSession();
  if (sessions.isPending) return <LoadingPanel />;
  if (sessions.isError) return <ErrorPanel error={sessions.error} onRetry={() => void sessions.refetch()} />;
  return (
    <Group title={words.sections.sessions} note={words.sessionsNote}>
      <Table columns={[words.columns.name, words.columns.created, words.columns.used, words.columns.expires, action]}>
        {sessions.data.results.map((session) => (
          <tr key={session.id} data-testid="session">
            <td>
              <HostileText value={session.name} max={120} />
            </td>
            <td className="tabular">{when(session.created_at)}</td>
            <td className="tabular">{when(session.last_used_at)}</td>
            <td className="tabular">{when(session.expires_at)}</td>
            <td>
              {session.is_current ? (
                words.current
              ) : (
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={words.endLabel(session.name)}
                  onClick={() => revoke.mutate(session.id, { onError: tellError })}
                >
                  {words.end}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Group>
  );
}

function UsageSection({ account }: { account: Account }) {
  const statistics = useStatistics();
  if (statistics.isPending) return <LoadingPanel />;
  if (statistics.isError) return <ErrorPanel error={statistics.error} onRetry={() => void statistics.refetch()} />;
  return (
    <Group title={words.sections.usage} note={words.usageNote(account.api_group)}>
      <div className={styles.fields}>
        {(Object.keys(words.limitNames) as (keyof typeof words.limitNames)[]).map((name) => {
          const entry = statistics.data.rate_limits[name];
          if (entry === undefined) return null;
          const [amount = '0', unit = 'day'] = entry.limit.split('/');
          const share = Math.min(100, (100 * entry.used) / Math.max(1, Number(amount)));
          const text = words.used(
            formatCount(entry.used),
            formatCount(Number(amount)),
            words.units[unit as 'day' | 'min'],
          );
          return (
            <div key={name}>
              <div className={styles.pair}>
                <span>{words.limitNames[name]}</span>
                <span className={styles.number}>{text}</span>
              </div>
              <Progress
                value={share}
                color={share >= 90 ? 'red' : 'accent'}
                aria-label={`${words.limitNames[name]}: ${text}`}
              />
            </div>
          );
        })}
      </div>
    </Group>
  );
}

const sections = Object.entries(words.sections).map(([id, label]) => ({ id, label }));

export function Component() {
  const { section = '' } = useParams();
  const account = useAccount();
  if (!(section in words.sections)) return <Navigate to="/account/profile" replace />;
  if (account.isPending) return <LoadingPanel />;
  if (account.isError) return <ErrorPanel error={account.error} onRetry={() => void account.refetch()} />;
  return (
    <SectionPage title={words.title} address="/account" sections={sections}>
      {section === 'profile' && <ProfileSection account={account.data} />}
      {section === 'notices' && <NoticesSection account={account.data} />}
      {section === 'tokens' && <TokensSection />}
      {section === 'sessions' && <SessionsSection />}
      {section === 'usage' && <UsageSection account={account.data} />}
    </SectionPage>
  );
}
