// Hands e-mails to the mail server of the settings, and keeps them until it takes them. Knows nothing of what they say.
import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type Clock, systemClock } from '../../store/clock.ts';
import type { EmailRecord } from '../../store/repositories/people/email-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

/** Microseconds until an e-mail is tried again, doubled with every failure up to the longest wait. */
const firstWait = 60_000_000;
const longestWait = 6 * 3_600_000_000;
/** Some 20 hours of waiting in all; whoever has no working mail server for longer reads the notifications. */
const maxAttempts = 12;
/** Milliseconds of silence after which a mail server counts as gone. */
const silence = 20_000;
/** E-mails read at a time. */
const batch = 20;
/** Milliseconds that the end of the workstation waits for an e-mail under way. */
const closingPatience = 3_000;
/** Milliseconds: a timer can wait no longer than some 24 days, and the settings may change meanwhile. */
const longestTimer = 60_000;

const maxSubjectLength = 200;

export interface Email {
  recipient: string;
  subject: string;
  body: string;
}

type Transport = Pick<ReturnType<typeof createTransport>, 'sendMail' | 'close'>;

/** One line without control, format and separator characters: nothing of a hostile name can begin a header or hide. */
export const singleLine = (text: string, max = maxSubjectLength): string => {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
};

export class Outbox {
  readonly #store: Store;
  readonly #log: ErrorLog;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<void> | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(store: Store, log: ErrorLog, clock: Clock = systemClock) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
  }

  /** Puts an e-mail in, to be sent after the commit. Without a mail server in the settings it is dropped. */
  async add(accountId: number, { recipient, subject, body }: Email, inside: Writes): Promise<void> {
    if ((await readSetting(inside, 'smtp_host')) === '' || recipient === '') return;
    const messageId = `<${randomUUID()}@apk-workstation>`;
    await inside.emails.insert({ accountId, messageId, recipient, subject: singleLine(subject), body });
    inside.afterCommit(() => this.#wake(0));
  }

  /** Begins to send, with what an earlier run left. */
  start(): void {
    this.#isStarted = true;
    this.#wake(0);
  }

  /** Stops sending. Resolves when the e-mail under way is sent or has failed. */
  async close(): Promise<void> {
    this.#isStarted = false;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closingPatience);
    });
    await Promise.race([this.#delivering, patience]);
    clearTimeout(timer);
  }

  #wake(milliseconds: number): void {
    if (!this.#isStarted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), Math.min(longestTimer, milliseconds)).unref();
  }

  async #run(): Promise<void> {
    try {
      await this.deliver();
      if (!this.#isStarted) return;
      const next = await this.#store.emails.nextAttemptAt();
      if (next === null) return;
      // Without a mail server all that waits is due: look now and then whether the settings name one again.
      const isOff = (await readSetting(this.#store, 'smtp_host')) === '';
      this.#wake(isOff ? longestTimer : Math.max(1_000, (next - this.#clock()) / 1000));
    } catch (err) {
      this.#log.error({ err }, 'e-mails could not be sent');
      this.#wake(longestTimer);
    }
  }

  /** Sends everything that is due. Only one such round is under way at a time. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliverDue().finally(() => {
      this.#delivering = undefined;
    });
    return this.#delivering;
  }

  async #deliverDue(): Promise<void> {
    const now = this.#clock();
    for (;;) {
      const due = await this.#store.emails.due(now, batch, now + longestWait);
      const sender = due.length === 0 ? null : await this.#sender();
      if (sender === null) return;
      for (const email of due) {
        const failure = await this.#send(email, sender);
        // After the end of the patience above the store is closed: the next start sends it again, under the same id.
        if (this.#isClosed) return;
        await this.#note(email, failure);
      }
    }
  }

  async #note(email: EmailRecord, failure: SendFailure | null): Promise<void> {
    if (failure === null) return this.#store.transaction(({ emails }) => emails.remove(email.id));
    const attempts = email.attempts + 1;
    if (failure.isFinal || attempts >= maxAttempts) {
      this.#log.error({ email: email.id, attempts, reason: failure.message }, 'an e-mail was given up');
      return this.#store.transaction(({ emails }) => emails.remove(email.id));
    }
    const wait = Math.min(longestWait, firstWait * 2 ** email.attempts);
    await this.#store.transaction(({ emails }) => emails.postpone(email.id, failure.message, this.#clock() + wait));
  }

  /** The mail server of the settings as they are now, null where there is none. */
  async #sender(): Promise<{ transport: Transport; from: string } | null> {
    const host = await readSetting(this.#store, 'smtp_host');
    if (host === '') return null;
    const user = await readSetting(this.#store, 'smtp_user');
    const secure = await readSetting(this.#store, 'smtp_secure');
    const options: SMTPTransport.Options = {
      host,
      port: await readSetting(this.#store, 'smtp_port'),
      secure,
      // STARTTLS is taken where it is offered, and whoever can forge a certificate can withhold the offer too: to insist
      // on a certificate there would protect nothing and keep mail servers of a lab from being used.
      tls: { rejectUnauthorized: secure },
      connectionTimeout: silence,
      greetingTimeout: silence,
      socketTimeout: silence,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    if (user !== '') options.auth = { user, pass: await readSetting(this.#store, 'smtp_password') };
    const from = (await readSetting(this.#store, 'smtp_from')) || `apk-workstation@${host}`;
    return { transport: createTransport(options), from };
  }

  async #send(email: EmailRecord, { transport, from }: { transport: Transport; from: string }) {
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: email.recipient },
        subject: email.subject,
        text: email.body,
        messageId: email.messageId,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return null;
    } catch (error) {
      return failureOf(error);
    }
  }
}

interface SendFailure {
  message: string;
  /** Another attempt would fail too: the server refuses this recipient or this message for good (RFC 5321 section 4.2.1). */
  isFinal: boolean;
}

function failureOf(error: unknown): SendFailure {
  const { message, code, responseCode = 0 } = error as { message: string; code?: string; responseCode?: number };
  return { message, isFinal: (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 };
}
