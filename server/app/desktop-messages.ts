// What the server tells the desktop shell that started it, and what the shell asks, over their IPC channel.
import type { NotificationType } from '../contract/people/notification.ts';
import type { ErrorLog } from '../jobs/error-log.ts';
import type { PrintEngine } from '../services/exports/printing.ts';
import type { NotificationView } from '../services/people/notifications.ts';
import type { RunningServer } from './server.ts';

/** What the shell answers to a page that it was to print. */
interface PrintAnswer {
  kind: 'printed';
  id: number;
  /** Base64; null where it could not, then `reason` says why. */
  pdf: string | null;
  reason: string;
}

/** Prints by the shell that started this server. */
class DesktopPrinter implements PrintEngine {
  readonly #tell: (message: object) => void;
  readonly #waiting = new Map<number, (answer: PrintAnswer) => void>();
  #lastId = 0;

  constructor(tell: (message: object) => void) {
    this.#tell = tell;
  }

  print(page: string, signal: AbortSignal): Promise<Buffer> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(id);
        reject(new Error('it takes too long'));
      };
      this.#waiting.set(id, ({ pdf, reason }) => {
        signal.removeEventListener('abort', onAbort);
        if (pdf === null) reject(new Error(reason));
        else resolve(Buffer.from(pdf, 'base64'));
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#tell({ kind: 'print', id, page });
    });
  }

  take(answer: PrintAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

/** Milliseconds between updates of the tray: jobs change many times a second. */
const jobsInterval = 500;
/** Milliseconds between checks for the first account. */
const ownerInterval = 3_000;

const titles: Record<NotificationType, string> = {
  analysis_completed: 'An analysis has ended',
  ruleset_matched: 'A ruleset matches',
  ruleset_commented: 'A comment on your ruleset',
  user_new_follower: 'Somebody follows you',
  ruleset_social_accepted: 'Your ruleset is social now',
  ruleset_social_rejected: 'Your ruleset was not accepted as social',
  mention_comment_sample: 'You were mentioned',
  mention_comment_ruleset: 'You were mentioned',
  profile_commented: 'A comment on your profile',
  ruleset_suspended: 'Your ruleset was suspended',
  authority_renewed: 'The certificate authority was renewed',
  machine_gone: 'A machine that analyses for this workstation is gone',
  backup_failed: 'A backup by schedule failed, or found older ones damaged',
};

/** Serves the shell from now on. @returns how to stop */
export function serveDesktop(server: RunningServer, log: ErrorLog): () => void {
  const { services, store } = server;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  const tell = (message: object) => {
    if (process.connected) process.send?.(message);
  };
  const logged = (work: Promise<void>) => {
    work.catch((err: unknown) => log.error({ err }, 'the desktop shell could not be told'));
  };

  const tellOfJobs = async () => {
    timer = undefined;
    const { jobs } = await services.health.state();
    tell({ kind: 'jobs', ...jobs });
  };

  /** Everything on the workstation is the owner's to see; the account comes with the first log-in. */
  const listen = async () => {
    const owner = (await store.accounts.owners())[0];
    if (owner === undefined || stopListening !== undefined) return;
    clearInterval(waiting);
    stopListening = services.events.subscribe(
      owner,
      (change) => {
        if (change.name === 'job') timer ??= setTimeout(() => logged(tellOfJobs()), jobsInterval);
        else if (change.name === 'notification' && change.notification.record.accountId === owner.id) {
          tell({ kind: 'notification', ...described(change.notification) });
        }
      },
      null,
    );
    await tellOfJobs();
  };
  const waiting = setInterval(() => logged(listen()), ownerInterval);
  waiting.unref();
  logged(listen());

  const printer = new DesktopPrinter(tell);
  const onMessage = (message: unknown) => {
    const { kind } = message as { kind?: unknown };
    if (kind === 'login') tell({ loginUrl: server.newLoginUrl() });
    else if (kind === 'prints') services.printing.printByDesktop(printer);
    else if (kind === 'printed') printer.take(message as PrintAnswer);
  };
  process.on('message', onMessage);
  return () => {
    process.off('message', onMessage);
    clearTimeout(timer);
    clearInterval(waiting);
    stopListening?.();
  };
}

/** The words of a system notification and the page it opens. */
function described({ record, apk, ruleset, analyst, matchesCount }: NotificationView): {
  title: string;
  body: string;
  route: string;
} {
  const what = apk === null ? 'APK' : 'rule';
  const count = matchesCount === null ? undefined : `${matchesCount} ${what}${matchesCount === 1 ? '' : 's'}`;
  const name = apk === null ? undefined : apk.app || apk.packageName || apk.sha256;
  const parts = [analyst?.username, ruleset?.name, name, count];
  const route = apk !== null ? `/apks/${apk.sha256}` : '/notifications';
  return {
    title: titles[record.type as NotificationType] ?? 'APK Workstation',
    body: parts.filter(Boolean).join(' · ').slice(0, 200),
    route,
  };
}
