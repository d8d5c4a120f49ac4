// How the browser tests run: Debian's Chromium, two at a time, against real servers that each test file starts. Where
// Electron's program can run, all of them run once more in its real window.
import { defineConfig } from '@playwright/test';
import { electronProgram } from './test/fixtures/electron-program.ts';
import { headlessChromium } from './test/fixtures/system-tools.ts';

const electron = electronProgram();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/browser',
  // It runs as it was built.
  build: { external: ['**/dist/**'] },
  // Each file has a workstation of its own.
  workers: 2,
  // A fault fails again; a test that does not is told as unsteady.
  retries: 1,
  // Analyses come last on a busy machine: these bound what hangs, they expect no speed.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  projects: [
    { name: 'browser' },
    ...('path' in electron ? [{ name: 'desktop', testIgnore: '**/desktop.spec.ts' }] : []),
  ],
  use: {
    browserName: 'chromium',
    // A new context costs more than what most tests do in it.
    reuseContext: true,
    // What moves is drawn sixty times a second.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    // A trace of every step costs a third of the time: `--trace retain-on-failure` keeps them where a failure is looked into.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.APK_WORKSTATION_CHROMIUM ?? headlessChromium().path ?? 'chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Each page runs for seconds, in which compiling for speed never pays: a third of what the renderer takes.
        '--js-flags=--no-maglev --no-opt',
      ],
    },
  },
});
