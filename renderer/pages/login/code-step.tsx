// Asks at log-in for a code of the second factor, or for a recovery code. Knows nothing of sessions.
import { Button, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { submitting } from '../../components/form/submitting.ts';
import styles from './login.module.css';
import { loginTexts as words } from './texts.ts';

interface CodeStepProps {
  /** Why the last code was refused. */
  error: Error | null;
  message: string;
  isPending: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
}

export function CodeStep({ error, message, isPending, onCode, onBack }: CodeStepProps) {
  const [code, setCode] = useInputState('');
  const [isRecovery, setRecovery] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The next code takes the place of the refused one.
    if (error !== null) field.current?.select();
  }, [error]);
  return (
    <form className={styles.step} onSubmit={submitting(() => onCode(code))}>
      <p className={styles.note}>{isRecovery ? words.recoveryNote : words.codeNote}</p>
      <div role="alert">{error !== null && <p className={styles.error}>{message}</p>}</div>
      <TextInput
        key={String(isRecovery)}
        ref={field}
        label={isRecovery ? words.recoveryCode : words.code}
        value={code}
        onChange={setCode}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        autoFocus
      />
      <Button type="submit" size="sm" fullWidth loading={isPending}>
        {words.enter}
      </Button>
      <Button
        variant="subtle"
        size="sm"
        fullWidth
        onClick={() => {
          setCode('');
          setRecovery(!isRecovery);
        }}
      >
        {isRecovery ? words.useApp : words.useRecovery}
      </Button>
      <Button variant="subtle" size="sm" fullWidth onClick={onBack}>
        {words.startOver}
      </Button>
    </form>
  );
}
