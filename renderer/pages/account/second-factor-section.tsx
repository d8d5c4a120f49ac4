// An authenticator app as the second factor: set up by a QR code and a code of the app, recovery codes, turning it off.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../../../server/contract/people/account.ts';
import type {
  CreatedSecondFactor,
  SecondFactorBody,
  SecondFactorChange,
} from '../../../server/contract/people/second-factor.ts';
import { ApiError } from '../../api/client.ts';
import { useSecondFactor, useSecondFactorActs } from '../../api/people-queries.ts';
import { SaveButton } from '../../components/file/save-button.tsx';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { QrCode } from '../../components/picture/qr-code.tsx';
import { CopyAll } from '../../components/text/copy-all.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { passwordTexts } from '../login/texts.ts';
import { accountTexts } from './texts.ts';

const words = accountTexts.secondFactor;

interface ProofProps {
  /** What is asked for: the password, a code of the app, or either kind of code. */
  wants: { password?: boolean; code?: 'app' | 'any' };
  action: string;
  act: { error: Error | null; isPending: boolean };
  /** The code is empty where none is asked for. */
  onProof: (proof: SecondFactorChange) => void;
  onCancel?: () => void;
}

/** Asks for password and code before something is done. */
function Proof({ wants, action, act: { error, isPending }, onProof, onCancel }: ProofProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const fields = error instanceof ApiError ? error.fields : {};
  const isAsked = onCancel !== undefined;
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        onProof({ current_password: wants.password ? password : undefined, second_factor: code });
      }}
    >
      {error !== null && Object.keys(fields).length === 0 && (
        <p role="alert" className={styles.error}>
          {guessRefusal(error)}
        </p>
      )}
      {wants.password && (
        <PasswordInput
          label={passwordTexts.current}
          value={password}
          error={fields.current_password?.join(' ') ?? null}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={isAsked}
        />
      )}
      {wants.code !== undefined && (
        <TextInput
          label={wants.code === 'app' ? words.code : words.codeOrRecovery}
          value={code}
          error={fields.second_factor?.join(' ') ?? null}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode={wants.code === 'app' ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          autoFocus={isAsked && !wants.password}
        />
      )}
      <div className={styles.actions}>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
        {isAsked && (
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

function Begun({ begun, children }: { begun: CreatedSecondFactor; children: ReactNode }) {
  return (
    <>
      <p className={styles.note}>{words.scan}</p>
      <div className={styles.actions}>
        <QrCode text={begun.uri} label={words.qr} />
        <span>
          {words.secret} <code data-testid="second-factor-secret">{begun.secret}</code>
        </span>
        <CopyButton text={begun.secret} what={words.secret} />
      </div>
      {children}
    </>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <div className={styles.secret} role="status">
      <p className={styles.note}>{words.keepCodes}</p>
      <ul className={styles.codes} aria-label={words.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyAll text={() => text} label={words.copyCodes} />
        <SaveButton fileName="recovery-codes.txt" fetchParts={async () => [`${text}\n`]} />
      </div>
    </div>
  );
}

/** What can be done where it is on: either is asked for by password and code. */
type Asked = 'renew' | 'remove';

function Factor({ factor, account }: { factor: SecondFactorBody; account: Account }) {
  const acts = useSecondFactorActs();
  const { begin, confirm, renew, remove } = acts;
  const [begun, setBegun] = useState<CreatedSecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const hasPassword = account.has_password;
  if (factor.confirmed_at === null && begun !== null) {
    return (
      <Begun begun={begun}>
        <Proof
          wants={{ code: 'app' }}
          action={words.confirm}
          act={confirm}
          onProof={({ second_factor }) =>
            confirm.mutate(
              { second_factor },
              {
                onSuccess: ({ recovery_codes }) => {
                  setCodes(recovery_codes);
                  setBegun(null);
                },
              },
            )
          }
          onCancel={() => {
            confirm.reset();
            setBegun(null);
          }}
        />
      </Begun>
    );
  }
  if (factor.confirmed_at === null) {
    return (
      <>
        <p className={styles.note}>{words.off}</p>
        <Proof
          wants={{ password: hasPassword }}
          action={words.begin}
          act={begin}
          onProof={({ current_password }) => begin.mutate({ current_password }, { onSuccess: setBegun })}
        />
      </>
    );
  }
  const ask = (what: Asked | null) => {
    renew.reset();
    remove.reset();
    setAsked(what);
  };
  const done = (kept: readonly string[] | null) => {
    setCodes(kept);
    setAsked(null);
  };
  return (
    <>
      <p className={styles.note}>
        {words.on(formatFull(factor.confirmed_at))}{' '}
        <span className={factor.recovery_codes_left === 0 ? styles.error : undefined}>
          {words.left(factor.recovery_codes_left)}
        </span>
      </p>
      {codes !== null && <RecoveryCodes codes={codes} />}
      {asked === null ? (
        <div className={styles.actions}>
          <Button variant="default" onClick={() => ask('renew')}>
            {words.renew}
          </Button>
          <Button variant="default" onClick={() => ask('remove')}>
            {words.remove}
          </Button>
        </div>
      ) : (
        <>
          <p className={styles.note}>{asked === 'renew' ? words.renewNote : words.removeNote}</p>
          <Proof
            key={asked}
            wants={{ password: hasPassword, code: 'any' }}
            action={words[asked]}
            act={acts[asked]}
            onProof={(proof) =>
              asked === 'renew'
                ? renew.mutate(proof, { onSuccess: ({ recovery_codes }) => done(recovery_codes) })
                : remove.mutate(proof, { onSuccess: () => done(null) })
            }
            onCancel={() => ask(null)}
          />
        </>
      )}
    </>
  );
}

export function SecondFactorSection({ account }: { account: Account }) {
  const factor = useSecondFactor();
  if (factor.isPending) return <LoadingPanel />;
  if (factor.isError) return <ErrorPanel error={factor.error} onRetry={() => void factor.refetch()} />;
  return (
    <Group title={accountTexts.sections['second-factor']} note={words.note}>
      <Factor factor={factor.data} account={account} />
    </Group>
  );
}
