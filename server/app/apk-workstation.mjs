#!/usr/bin/env node
// The installed command `apk-workstation`: makes the checkout ready, then runs the command line on the pinned Node. It runs
// what is built: from TypeScript each process would first strip the types, which takes half of a small APK's time.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bootstrap } from './bootstrap.mjs';
import { whenNpmEnds } from './npm-parent.mjs';

// Only a server shows the user interface: no other command waits for it to be built.
bootstrap(process.argv.includes('serve') ? ['renderer', 'desktop'] : ['desktop']);
const node = new URL(`../../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url);
const commandLine = new URL('../../dist/server/app/command-line.js', import.meta.url);
const child = spawn(fileURLToPath(node), [fileURLToPath(commandLine), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
whenNpmEnds(() => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});
