// Chooses or changes the account's password. Knows nothing of sessions.
import { Button, PasswordInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { minPasswordLength } from '../../../server/contract/people/account.ts';
import { useAccount, usePasswordChange } from '../../api/queries.ts';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import { submitting } from '../../components/form/submitting.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { LoadingPanel } from '../../components/page/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './login.module.css';
import { passwordTexts } from './texts.ts';

export function Component() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const account = useAccount();
  const change = usePasswordChange();
  const [current, setCurrent] = useInputState('');
  const [password, setPassword] = useInputState('');
  const [again, setAgain] = useInputState('');
  const from: unknown = (state as { from?: unknown } | null)?.from;
  const leave = () => void navigate(typeof from === 'string' ? from : '/catalogue', { replace: true });

  usePageTitle(passwordTexts.title);
  if (account.isPending) return <LoadingPanel />;
  const hasPassword = account.data?.has_password ?? true;
  const isMismatch = again !== '' && again !== password;
  return (
    <main className={styles.page}>
      <form
        className={styles.box}
        onSubmit={submitting(() => {
          if (password !== again || password.length < minPasswordLength) return;
          change.mutate(hasPassword ? { current_password: current, password } : { password }, {
            onSuccess: () => {
              notifications.show({ message: passwordTexts.saved });
              leave();
            },
          });
        })}
      >
        <img src="/app/mark.svg" width={44} height={44} alt="" />
        <h1>{hasPassword ? passwordTexts.title : passwordTexts.welcome}</h1>
        {!hasPassword && <p className={styles.note}>{passwordTexts.welcomeText(account.data?.username ?? '')}</p>}
        <div role="alert">{change.isError && <p className={styles.error}>{guessRefusal(change.error)}</p>}</div>
        <input type="text" hidden readOnly autoComplete="username" value={account.data?.username ?? ''} />
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
        <PasswordInput
          autoFocus={!hasPassword}
          label={passwordTexts.new}
          description={passwordTexts.rule(minPasswordLength)}
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          minLength={minPasswordLength}
          required
        />
        <PasswordInput
          label={passwordTexts.again}
          value={again}
          onChange={setAgain}
          autoComplete="new-password"
          error={isMismatch ? passwordTexts.mismatch : null}
          required
        />
        <Button type="submit" size="sm" fullWidth loading={change.isPending} disabled={isMismatch}>
          {texts.save}
        </Button>
        <Button variant="subtle" size="sm" fullWidth onClick={leave}>
          {hasPassword ? passwordTexts.back : passwordTexts.skip}
        </Button>
      </form>
    </main>
  );
}
