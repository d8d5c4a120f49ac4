// `serve`: the server in this process, until a signal or the parent ends it.
import { whereRoom } from '../../store/store-errors.ts';
import { dataFolder } from '../data-folder.ts';
import { serveDesktop } from '../desktop-messages.ts';
import { logForPeople, serverLog } from '../log.ts';
import { type RunningServer, startServer } from '../server.ts';
import { noteServerAddress } from '../server-address.ts';

export interface ServeOptions {
  dataDir?: string;
  host?: string;
  port?: number;
  /** Serves beyond loopback without TLS. */
  plainHttp?: boolean;
  /** Whether the log is for somebody who looks on, which it is by default where standard error is a terminal. */
  isForPeople?: boolean;
}

/** Where a server that has started is, and how somebody gets in. */
interface Served {
  url: string;
  loginUrl: string;
  /** In words, with the address that logs the owner in. */
  welcome: string;
  /** Nobody has an account yet. */
  isFresh: boolean;
}

/** What to do about an address, by the system's code. */
const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Choose another with --port',
  EACCES: 'the system does not let this user. Choose a --port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address. Choose another --host',
  ENOTFOUND: 'no address is known for this name. Choose another --host',
};

/**
 * Starts the server with its log on standard error, in words on a terminal. It ends cleanly on SIGTERM or SIGINT, and
 * when the parent process that holds its IPC channel goes away.
 * @throws where the data folder is in use, the address is taken, or others would reach it without TLS unasked
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const dataDir = dataFolder(options.dataDir);
  const { host = '127.0.0.1', plainHttp = false, isForPeople = process.stderr.isTTY } = options;
  if (!plainHttp && !isLoopback(host)) {
    throw new Error(
      `${host} is reached by others, who could read tokens and APKs on their way. Share with TLS in the settings (sharing), or add --plain-http.`,
    );
  }
  const port = options.port ?? 8465;
  const log = isForPeople ? logForPeople(dataDir) : serverLog;
  const server = await startServer({ dataDir, host, port, log }).catch((error: NodeJS.ErrnoException) => {
    const isOfAddress = ['listen', 'getaddrinfo'].includes(error.syscall ?? '');
    const advice = isOfAddress ? listenAdvice[error.code ?? ''] : undefined;
    if (advice !== undefined) error.message = `${host} port ${port} cannot be listened on: ${advice}.`;
    throw error;
  });
  if (!isLoopback(host)) await server.services.settings.noteServedToOthers();
  // Without the note other commands find no server, and say so.
  const forgetAddress = whereRoom(() => noteServerAddress(dataDir, server.url)) ?? (() => undefined);
  let isEnding = false;
  const end = (cause: string) => {
    if (isEnding) return;
    isEnding = true;
    log.info({ cause }, 'ending');
    forgetAddress();
    server.close().then(
      () => process.exit(0),
      (error) => {
        log.error(error, 'could not end cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal));
  if (process.connected) {
    serveDesktop(server, log);
    process.on('disconnect', () => end('the parent process is gone'));
  }
  const [owner] = await server.store.accounts.owners();
  const { url, loginUrl } = server;
  return { url, loginUrl, welcome: welcomeTo(server, owner?.username), isFresh: owner === undefined };
}

const welcomeTo = ({ url, loginUrl }: RunningServer, owner: string | undefined): string =>
  [
    '',
    `  Open ${loginUrl}`,
    owner === undefined
      ? '  Nobody has an account yet: whoever opens it is the owner of this workstation, and chooses a name and a password.'
      : `  It logs in ${owner}, the owner of this workstation.`,
    `  It works once, within half an hour; afterwards the address is ${url}/app/`,
    '',
    '',
  ].join('\n');

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
