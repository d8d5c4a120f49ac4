// `npm start`: opens the desktop app where Electron can run, else says why not and serves to a browser.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as ServeCommand from '../server/app/commands/serve.ts';
import { whenNpmEnds } from '../server/app/npm-parent.mjs';

/** How long Electron's binary may take to be fetched on the first start. */
const fetchTimeout = 60_000;

/** Milliseconds within which a program ends that cannot run on this system: a library is missing, its sandbox is refused. */
const brokenWithin = 10_000;
/** Exit code of a program that lacks a shared library, set by the dynamic linker. */
const missingLibrary = 127;
/** Signals by which a program aborts, as Chromium does without its sandbox. */
const crashes: readonly NodeJS.Signals[] = ['SIGTRAP', 'SIGABRT', 'SIGILL', 'SIGSEGV'];

type Desktop = { kind: 'ready'; executable: string } | { kind: 'blocked'; obstacle: string };

/** Finds Electron's executable, fetched on the first start, or the reason why the desktop app cannot open here. */
function findDesktop(): Desktop {
  if (process.platform === 'linux') {
    if (process.getuid?.() === 0) return { kind: 'blocked', obstacle: 'Electron does not run as root' };
    if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
      return { kind: 'blocked', obstacle: 'there is no display' };
  }
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('electron/package.json'));
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) return { kind: 'ready', executable: require('electron') as string };
  const fetched = spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', timeout: fetchTimeout });
  if (fetched.status !== 0) {
    return {
      kind: 'blocked',
      obstacle: `Electron's program could not be fetched${fetched.error ? ` within ${fetchTimeout / 1000} s` : ''}`,
    };
  }
  return { kind: 'ready', executable: require('electron') as string };
}

/** Opens the desktop app; this process ends when it does. */
function openDesktop(executable: string): void {
  const started = performance.now();
  const child = spawn(executable, [join(import.meta.dirname, '../dist/main/main.js')], { stdio: 'inherit' });
  child.on('error', ({ message }) => serveToBrowser(`Electron's program cannot be started (${message})`));
  child.on('exit', (code, signal) => {
    const isBroken = code === missingLibrary || (signal !== null && crashes.includes(signal));
    if (isBroken && performance.now() - started < brokenWithin) {
      serveToBrowser(`Electron's program does not run here (${signal ?? code}, see above)`);
    } else process.exitCode = code ?? 1;
  });
  whenNpmEnds(() => child.kill('SIGTERM'));
}

function serveToBrowser(obstacle: string): void {
  process.stdout.write(`The desktop window is not opened: ${obstacle}. Serving to a browser instead.\n`);
  serveAndTell().catch(({ message }: Error) => {
    process.stderr.write(`APK Workstation could not start: ${message}\n`);
    process.exitCode = 1;
  });
}

async function serveAndTell(): Promise<void> {
  const built = new URL('../dist/server/app/commands/serve.js', import.meta.url);
  const { serve } = (await import(built.href)) as typeof ServeCommand;
  // Another program may have the usual port.
  const server = await serve({ isForPeople: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return serve({ isForPeople: true, port: 0 });
    throw error;
  });
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  process.stdout.write(`${server.welcome}Ctrl+C ends it.\n`);
}

const desktop = findDesktop();
if (desktop.kind === 'ready') openDesktop(desktop.executable);
else serveToBrowser(desktop.obstacle);
