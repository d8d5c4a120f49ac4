// Chooses or changes the account's password, at the first log-in the owner's name too. Knows nothing of sessions.
import { Button, PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { minPasswordLength } from '../../../server/contract/people/account.ts';
import { useAccount, useMay, usePasswordChange, useRenaming } from '../../api/queries.ts';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import { submitting } from '../../components/form/submitting.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { LoadingPanel } from '../../components/page/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './login.module.css';
import { loginTexts, passwordTexts } from './texts.ts';

interface NameFieldProps {
  value: string;
  setValue: (name: string) => void;
}

function NameField({ value, setValue }: NameFieldProps) {
  return (
    <TextInput
      autoFocus
      label={loginTexts.username}
      description={passwordTexts.chooseNameNote}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={150}
      required
    />
  );
}

const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} autoComplete="new-password" required />
);

/** Leads back to where one came from. */
function useLeaving(): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const from: unknown = (state as { from?: unknown } | null)?.from;
  return () => void navigate(typeof from === 'string' ? from : '/catalogue', { replace: true });
}

export function Component() {
  const account = useAccount();
  const change = usePasswordChange();
  const renaming = useRenaming();
  const may = useMay();
  /** null: as it is. */
  const [name, setName] = useState<string | null>(null);
  const [current, setCurrent] = useInputState('');
  const [password, setPassword] = useInputState('');
  const [again, setAgain] = useInputState('');
  const leave = useLeaving();

  usePageTitle(passwordTexts.title);
  if (account.isPending) return <LoadingPanel />;
  const hasPassword = account.data?.has_password ?? true;
  const isMismatch = again !== '' && again !== password;
  const username = account.data?.username ?? '';
  const choosesName = !hasPassword && may('account.rename');
  const fault = renaming.error ?? change.error;
  const isSaving = renaming.isPending || change.isPending;
  const save = () =>
    change.mutate(hasPassword ? { current_password: current, password } : { password }, {
      onSuccess: () => {
        notifications.show({ message: passwordTexts.saved });
        leave();
      },
    });
  return (
    <main className={styles.page}>
      <form
        className={styles.box}
        onSubmit={submitting(() => {
          if (password !== again || password.length < minPasswordLength) return;
          if (name === null || name === username) save();
          else renaming.mutate(name, { onSuccess: save });
        })}
      >
        <img src="/app/mark.svg" width={44} height={44} alt="" />
        <h1>{hasPassword ? passwordTexts.title : passwordTexts.welcome}</h1>
        {!hasPassword && <p className={styles.note}>{passwordTexts.welcomeText(username)}</p>}
        <div role="alert">{fault !== null && <p className={styles.error}>{guessRefusal(fault)}</p>}</div>
        {choosesName ? (
          <NameField value={name ?? username} setValue={setName} />
        ) : (
          <input type="text" hidden readOnly autoComplete="username" value={username} />
        )}
        {hasPassword && (
          <PasswordInput
            autoFocus
            label={passwordTexts.current}
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordField
          autoFocus={!hasPassword && !choosesName}
          label={passwordTexts.new}
          description={passwordTexts.rule(minPasswordLength)}
          value={password}
          onChange={setPassword}
          minLength={minPasswordLength}
        />
        <NewPasswordField
          label={passwordTexts.again}
          value={again}
          onChange={setAgain}
          error={isMismatch ? passwordTexts.mismatch : null}
        />
        <Button type="submit" size="sm" fullWidth loading={isSaving} disabled={isMismatch}>
          {texts.save}
        </Button>
        <Button variant="subtle" size="sm" fullWidth onClick={leave}>
          {hasPassword ? passwordTexts.back : passwordTexts.skip}
        </Button>
      </form>
    </main>
  );
}
