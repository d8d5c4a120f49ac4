// Opens a session, by name and password or by a one-time link, and by a code where there is a second factor. Knows
// nothing of what comes after.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Session, SessionRequest } from '../../../server/contract/people/account.ts';
import { ApiError } from '../../api/client.ts';
import { keys, openSession } from '../../api/queries.ts';
import { queryClient, toldByForm } from '../../api/query-client.ts';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import { submitting } from '../../components/form/submitting.ts';
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

type Entering = UseMutationResult<Session, Error, SessionRequest>;

/** Opens the session, and goes to the page that was asked for. @param onCodeWanted `null`: the code was refused */
function useEntering(onCodeWanted: (request: SessionRequest | null) => void): Entering {
  const navigate = useNavigate();
  const { state } = useLocation();
  return useMutation({
    mutationFn: (body: SessionRequest) => openSession(body),
    meta: toldByForm,
    onError: (error, body) => {
      if (isForCode(error)) onCodeWanted(body);
      else if (isRefusal(error)) onCodeWanted(null);
    },
    onSuccess: ({ token, account }) => {
      queryClient.clear();
      queryClient.setQueryData(keys.account, account);
      useSession.getState().begin({ token, username: account.username });
      // After a one-time link there is no password yet: the user is asked to choose one.
      void navigate(account.has_password ? destinationOf(state) : '/password', {
        replace: true,
        state: account.has_password ? null : { from: destinationOf(state) },
      });
    },
  });
}

function PasswordStep({ entering, message }: { entering: Entering; message: string | null }) {
  const hasExpired = useSession((session) => session.hasExpired);
  const [username, setUsername] = useInputState('');
  const [password, setPassword] = useInputState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const enter = () =>
    // The disabled button lost the focus during the request.
    entering.mutate({ username: username.trim(), password }, { onError: () => passwordField.current?.select() });
  return (
    <form className={styles.step} onSubmit={submitting(enter)}>
      <div role="alert">
        {message !== null ? (
          <p className={styles.error}>{message}</p>
        ) : (
          hasExpired && <p className={styles.note}>{loginTexts.expired}</p>
        )}
      </div>
      <TextInput
        label={loginTexts.username}
        value={username}
        onChange={setUsername}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        data-autofocus
        autoFocus
      />
      <PasswordInput
        ref={passwordField}
        label={loginTexts.password}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        required
      />
      <Button type="submit" size="sm" fullWidth loading={entering.isPending}>
        {loginTexts.enter}
      </Button>
      <p className={styles.hint}>{loginTexts.hint}</p>
    </form>
  );
}

export function LoginPage() {
  const [parameters] = useSearchParams();
  const code = parameters.get('code');
  const triedCode = useRef<string | null>(null);
  /** What was right and wants a code beside it. */
  const [shown, setShown] = useState<SessionRequest | null>(null);
  const entering = useEntering(setShown);
  const { mutate, variables, error, isPending } = entering;
  usePageTitle(loginTexts.title);
  useEffect(() => {
    // A code is good for one request: it is sent once, also where React mounts twice.
    if (code === null || triedCode.current === code) return;
    triedCode.current = code;
    mutate({ login_code: code });
  }, [code, mutate]);
  const isByLink = variables !== undefined && 'login_code' in variables;
  const message = error === null ? null : messageOf(error, isByLink);
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <img src="/app/mark.svg" width={44} height={44} alt="" />
        <h1>{texts.productName}</h1>
        {shown !== null ? (
          <CodeStep
            error={variables?.second_factor === undefined ? null : error}
            message={message ?? ''}
            isPending={isPending}
            onCode={(code) => mutate({ ...shown, second_factor: code })}
            onBack={() => {
              entering.reset();
              setShown(null);
            }}
          />
        ) : isPending && isByLink ? (
          <LoadingPanel label={loginTexts.entering} />
        ) : (
          <PasswordStep entering={entering} message={message} />
        )}
      </div>
    </main>
  );
}
