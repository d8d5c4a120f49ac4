// An authenticator app as the second factor: set up by a QR code and a code of the app, recovery codes, turning it off.
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Account } from '../../../server/contract/people/account.ts';
import type { CreatedSecondFactor, SecondFactorChange } from '../../../server/contract/people/second-factor.ts';
import { useSecondFactor, useSecondFactorActs } from '../../api/people-queries.ts';
import { SaveButton } from '../../components/file/save-button.tsx';
import { FormFault, fieldFaults } from '../../components/form/form-fault.tsx';
import { guessRefusal } from '../../components/form/guess-refusal.ts';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { QrCode } from '../../components/picture/qr-code.tsx';
import { CopyAll } from '../../components/text/copy-all.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { texts } from '../../texts.ts';
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
  const [password, setPassword] = useInputState('');
  const [code, setCode] = useInputState('');
  const fields = fieldFaults(error);
  const isAsked = onCancel !== undefined;
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() =>
        onProof({ current_password: wants.password ? password : undefined, second_factor: code }),
      )}
    >
      <FormFault error={error} textOf={guessRefusal} />
      {wants.password && (
        <PasswordInput
          label={passwordTexts.current}
          value={password}
          error={fields.current_password?.join(' ') ?? null}
          onChange={setPassword}
          autoComplete="current-password"
          required
          autoFocus={isAsked}
        />
      )}
      {wants.code !== undefined && (
        <TextInput
          label={wants.code === 'app' ? words.code : words.codeOrRecovery}
          value={code}
          error={fields.second_factor?.join(' ') ?? null}
          onChange={setCode}
          autoComplete="one-time-code"
          inputMode={wants.code === 'app' ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          autoFocus={isAsked && !wants.password}
        />
      )}
      <div className={styles.actions}>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
        {isAsked && (
          <Button variant="default" onClick={onCancel}>
            {texts.cancel}
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

interface StateProps {
  acts: ReturnType<typeof useSecondFactorActs>;
  hasPassword: boolean;
  /** New recovery codes came, or those that are shown have lapsed. */
  onCodes: (codes: readonly string[] | null) => void;
}

/** Not set up yet: it takes the password, then a code of the app that was given the secret. */
function FactorOff({ acts: { begin, confirm }, hasPassword, onCodes }: StateProps) {
  const [begun, setBegun] = useState<CreatedSecondFactor | null>(null);
  if (begun === null) {
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
  return (
    <Begun begun={begun}>
      <Proof
        wants={{ code: 'app' }}
        action={words.confirm}
        act={confirm}
        onProof={({ second_factor }) =>
          confirm.mutate({ second_factor }, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) })
        }
        onCancel={() => {
          confirm.reset();
          setBegun(null);
        }}
      />
    </Begun>
  );
}

/** What can be done where it is on: either is asked for by password and code. */
type Asked = 'renew' | 'remove';

function FactorOn({ acts, hasPassword, onCodes }: StateProps) {
  const { renew, remove } = acts;
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (what: Asked | null) => {
    renew.reset();
    remove.reset();
    setAsked(what);
  };
  const done = (codes: readonly string[] | null) => {
    onCodes(codes);
    setAsked(null);
  };
  if (asked === null) {
    return (
      <div className={styles.actions}>
        <Button variant="default" onClick={() => ask('renew')}>
          {words.renew}
        </Button>
        <Button variant="default" onClick={() => ask('remove')}>
          {words.remove}
        </Button>
      </div>
    );
  }
  return (
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
  );
}

/** What comes of an act is kept here: recovery codes are told once, and must stay where the state cannot be looked up. */
export function SecondFactorSection({ account: { has_password: hasPassword } }: { account: Account }) {
  const factor = useSecondFactor();
  const acts = useSecondFactorActs();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const since = factor.data?.confirmed_at ?? null;
  const State = since === null ? FactorOff : FactorOn;
  return (
    <Group title={accountTexts.sections['second-factor']} note={words.note}>
      {factor.data !== undefined && since !== null && (
        <p className={styles.note}>
          {words.on(formatFull(since))}{' '}
          <span className={factor.data.recovery_codes_left === 0 ? styles.error : undefined}>
            {words.left(factor.data.recovery_codes_left)}
          </span>
        </p>
      )}
      {codes !== null && <RecoveryCodes codes={codes} />}
      {factor.isSuccess ? (
        <State acts={acts} hasPassword={hasPassword} onCodes={setCodes} />
      ) : (
        <QueryState query={factor} />
      )}
    </Group>
  );
}
