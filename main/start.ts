// `npm start`: opens the desktop app where Electron can run, else says why not and serves to a browser.
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as ServeCommand from '../server/app/commands/serve.ts';
import { whenNpmEnds } from '../server/app/npm-parent.mjs';

/** How long Electron's binary may take to be fetched on the first start. */
const fetchTimeout = 60_000;

type Desktop = { executable: string } | { obstacle: string };

/** Finds Electron's executable, fetched on the first start, or the reason why the desktop app cannot open here. */
function findDesktop(): Desktop {
  if (process.platform === 'linux') {
    if (process.getuid?.() === 0) return { obstacle: 'Electron does not run as root' };
    if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return { obstacle: 'there is no display' };
  }
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('electron/package.json'));
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) return { executable: require('electron') as string };
  const fetched = spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', timeout: fetchTimeout });
  if (fetched.status !== 0) {
    return {
      obstacle: `Electron's program could not be fetched${fetched.error ? ` within ${fetchTimeout / 1000} s` : ''}`,
    };
  }
  return { executable: require('electron') as string };
}

const desktop = findDesktop();
if ('executable' in desktop) {
  const child = spawn(desktop.executable, [join(import.meta.dirname, '../dist/main/main.js')], { stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
  whenNpmEnds(() => child.kill('SIGTERM'));
} else {
  process.stdout.write(`The desktop window is not opened: ${desktop.obstacle}. Serving to a browser instead.\n`);
  const built = new URL('../dist/server/app/commands/serve.js', import.meta.url);
  const { serve } = (await import(built.href)) as typeof ServeCommand;
  // Another program may have the usual port.
  const server = await serve({}).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return serve({ port: 0 });
    throw error;
  });
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  process.stdout.write(
    `\n  Open ${server.loginUrl}\n  (logs in once; afterwards the address is ${server.url}/app/)\n\nCtrl+C ends it.\n`,
  );
}
