#!/usr/bin/env node
// The installed command `apk-workstation`: makes the checkout ready, then runs the command line on the pinned Node. It runs
// what is built: from TypeScript each process would first strip the types, which takes half of a small APK's time.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { bootstrap } from './bootstrap.mjs';
import { whenNpmEnds } from './npm-parent.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// Only a server shows the user interface: no other command waits for it to be built.
bootstrap(process.argv.includes('serve') ? ['renderer', 'desktop'] : ['desktop']);
const commandLine = at('dist/server/app/command-line.js');
/** Beside the program: whoever may write there may write the program. Workers neither write nor read it. */
const compiledCode = at('dist/compiled-code');
const { version } = JSON.parse(readFileSync(at('node_modules/node/package.json'), 'utf8'));
if (process.versions.node === version) runHere();
else runOnPinnedNode();

/** No second Node has to start where this one is the pinned one already. */
function runHere() {
  module.enableCompileCache(compiledCode);
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  process.argv[1] = commandLine;
  void import(new URL('../../dist/server/app/command-line.js', import.meta.url).href);
}

function runOnPinnedNode() {
  const node = at(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  const child = spawn(node, [commandLine, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiledCode },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  whenNpmEnds(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}
