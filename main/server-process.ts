// The embedded server as a process of its own, seen from the desktop shell: started, watched, stopped.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Running from source under Node the files end in .ts, in the built tree in .js. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** In the package the server lies beside the archive that Electron reads: its workers need real files. */
const commandLine = fileURLToPath(new URL(`../server/app/command-line.${extension}`, import.meta.url)).replace(
  /\bapp\.asar\b/,
  'app.asar.unpacked',
);

export interface ServerProcess {
  /** Base URL of the server, on loopback. */
  url: string;
  /** Address of the user interface that logs the owner in, valid once. */
  loginUrl: string;
  /** Asks the server to end cleanly and waits until it has. */
  stop(): Promise<void>;
  /** Calls back when the server ends without having been asked to. */
  onUnexpectedExit(callback: (reason: string) => void): void;
}

/**
 * Starts the server on a free loopback port.
 * @throws where the server ends before it is ready, with the last lines of its log
 */
export async function startServerProcess(words: string[] = []): Promise<ServerProcess> {
  const child = fork(commandLine, ['serve', '--port', '0', ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const log = lastLines(child);
  const { url, loginUrl } = await new Promise<{ url: string; loginUrl: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; loginUrl: string }));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${signal ?? code})\n${log()}`)));
  });
  let isStopping = false;
  return {
    url,
    loginUrl,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
    onUnexpectedExit(callback) {
      child.once('exit', (code, signal) => {
        if (!isStopping) callback(`The server ended (${signal ?? code}).\n\n${log()}`);
      });
    },
  };
}

/** Passes the child's log on and keeps its last lines for an error message. */
function lastLines(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    tail = (tail + chunk.toString()).slice(-4_000);
  });
  return () => tail.split('\n').slice(-12).join('\n');
}
