// Opens a session, by name and password or by a one-time link. Knows nothing of what comes after.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Session, SessionRequest } from '../../../server/contract/account.ts';
import { ApiError } from '../../api/client.ts';
import { keys, openSession, queryClient } from '../../api/queries.ts';
import { usePageTitle } from '../../components/page.tsx';
import { LoadingPanel } from '../../components/state-panel.tsx';
import { useSession } from '../../state/session.ts';
import { texts } from '../../texts.ts';
import styles from './login.module.css';

/** Where to go afterwards; only an address inside the interface. */
function destinationOf(state: unknown): string {
  const from: unknown = typeof state === 'object' && state !== null ? (state as Record<string, unknown>).from : null;
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : '/catalogue';
}

function messageOf(error: Error, isByLink: boolean): string {
  if (error instanceof ApiError && (error.status === 400 || error.status === 401 || error.status === 403)) {
    return isByLink ? texts.login.linkSpent : error.status === 400 ? texts.login.wrong : error.message;
  }
  return error.message;
}

export function LoginPage() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [parameters] = useSearchParams();
  const code = parameters.get('code');
  const hasExpired = useSession((session) => session.hasExpired);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const triedCode = useRef<string | null>(null);

  const enter = useMutation({
    mutationFn: (body: SessionRequest) => openSession(body),
    onSuccess: ({ token, account }: Session) => {
      queryClient.clear();
      queryClient.setQueryData(keys.account, account);
      useSession.getState().begin({ token, username: account.username });
      // The first to come, by the link on the console, has no password yet and is asked to choose one.
      void navigate(account.has_password ? destinationOf(state) : '/password', {
        replace: true,
        state: account.has_password ? null : { from: destinationOf(state) },
      });
    },
  });
  const { mutate } = enter;

  usePageTitle(texts.login.title);
  useEffect(() => {
    // A code is good for one request: it is sent once, also where React mounts twice.
    if (code === null || triedCode.current === code) return;
    triedCode.current = code;
    mutate({ login_code: code });
  }, [code, mutate]);

  const isByLink = enter.variables !== undefined && 'login_code' in enter.variables;
  return (
    <main className={styles.page}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          // The button lost the focus while it was waited for.
          mutate({ username: username.trim(), password }, { onError: () => passwordField.current?.select() });
        }}
      >
        <img src="/app/mark.svg" width={44} height={44} alt="" />
        <h1>{texts.productName}</h1>
        {enter.isPending && isByLink ? (
          <LoadingPanel label={texts.login.entering} />
        ) : (
          <>
            <div role="alert">
              {enter.isError ? (
                <p className={styles.error}>{messageOf(enter.error, isByLink)}</p>
              ) : (
                hasExpired && <p className={styles.note}>{texts.login.expired}</p>
              )}
            </div>
            <TextInput
              label={texts.login.username}
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              withAsterisk={false}
              data-autofocus
              autoFocus
            />
            <PasswordInput
              ref={passwordField}
              label={texts.login.password}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <Button type="submit" size="sm" fullWidth loading={enter.isPending}>
              {texts.login.enter}
            </Button>
            <p className={styles.hint}>{texts.login.hint}</p>
          </>
        )}
      </form>
    </main>
  );
}
