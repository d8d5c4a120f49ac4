// Opens a session, by name and password or by a one-time link, and by a code where there is a second factor. Knows
// nothing of what comes after.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Session, SessionRequest } from '../../../server/contract/people/account.ts';
import { ApiError } from '../../api/client.ts';
import { keys, openSession, queryClient } from '../../api/queries.ts';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { LoadingPanel } from '../../components/page/state-panel.tsx';
import { useSession } from '../../state/session.ts';
import { texts } from '../../texts.ts';
import { CodeStep } from './code-step.tsx';
import styles from './login.module.css';
import { loginTexts } from './texts.ts';

/** Where to go afterwards; only an address inside the interface. */
function destinationOf(state: unknown): string {
  const from: unknown = typeof state === 'object' && state !== null ? (state as Record<string, unknown>).from : null;
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : '/catalogue';
}

const isRefusal = (error: Error): error is ApiError =>
  error instanceof ApiError && [400, 401, 403].includes(error.status);

/** Password or link were right; a code is missing, or was wrong. */
const isForCode = (error: Error) => isRefusal(error) && 'second_factor' in error.fields;

function messageOf(error: Error, isByLink: boolean): string {
  if (isRefusal(error) && !isForCode(error)) {
    return isByLink ? loginTexts.linkSpent : error.status === 400 ? loginTexts.wrong : error.message;
  }
  return guessRefusal(error);
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
  /** What was right and wants a code beside it. */
  const [shown, setShown] = useState<SessionRequest | null>(null);

  const enter = useMutation({
    mutationFn: (body: SessionRequest) => openSession(body),
    onError: (error, body) => {
      if (isForCode(error)) setShown(body);
      else if (isRefusal(error)) setShown(null);
    },
    onSuccess: ({ token, account }: Session) => {
      queryClient.clear();
      queryClient.setQueryData(keys.account, account);
      useSession.getState().begin({ token, username: account.username });
      // Whoever comes by a link has no password yet, and is asked to choose one.
      void navigate(account.has_password ? destinationOf(state) : '/password', {
        replace: true,
        state: account.has_password ? null : { from: destinationOf(state) },
      });
    },
  });
  const { mutate } = enter;

  usePageTitle(loginTexts.title);
  useEffect(() => {
    // A code is good for one request: it is sent once, also where React mounts twice.
    if (code === null || triedCode.current === code) return;
    triedCode.current = code;
    mutate({ login_code: code });
  }, [code, mutate]);

  const isByLink = enter.variables !== undefined && 'login_code' in enter.variables;
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <img src="/app/mark.svg" width={44} height={44} alt="" />
        <h1>{texts.productName}</h1>
        {shown !== null ? (
          <CodeStep
            error={enter.variables?.second_factor === undefined ? null : enter.error}
            message={enter.isError ? messageOf(enter.error, isByLink) : ''}
            isPending={enter.isPending}
            onCode={(code) => mutate({ ...shown, second_factor: code })}
            onBack={() => {
              enter.reset();
              setShown(null);
            }}
          />
        ) : enter.isPending && isByLink ? (
          <LoadingPanel label={loginTexts.entering} />
        ) : (
          <form
            className={styles.step}
            onSubmit={(event) => {
              event.preventDefault();
              // The disabled button lost the focus during the request.
              mutate({ username: username.trim(), password }, { onError: () => passwordField.current?.select() });
            }}
          >
            <div role="alert">
              {enter.isError ? (
                <p className={styles.error}>{messageOf(enter.error, isByLink)}</p>
              ) : (
                hasExpired && <p className={styles.note}>{loginTexts.expired}</p>
              )}
            </div>
            <TextInput
              label={loginTexts.username}
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
              label={loginTexts.password}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
            <Button type="submit" size="sm" fullWidth loading={enter.isPending}>
              {loginTexts.enter}
            </Button>
            <p className={styles.hint}>{loginTexts.hint}</p>
          </form>
        )}
      </div>
    </main>
  );
}
