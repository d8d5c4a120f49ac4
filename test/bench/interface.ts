// How fast the window is with a large catalogue: Debian's Chromium on a real server with 100,000 made-up APKs.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startServer } from '../../server/app/server.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';
import { largeCatalogue } from './large-catalogue.ts';
import { median } from './measured-process.ts';

const apks = 100_000;
const starts = 5;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface InterfaceFigures {
  /** Milliseconds from the address to the first rows, that can be used. */
  interactive: number;
  /** Bytes of JavaScript that the first screen loads, as they travel packed. */
  script: number;
  /** Frames per second while 10,000 rows are scrolled through, and the slowest frame in milliseconds. */
  frames: number;
  slowestFrame: number;
}

export async function interfaceFigures(): Promise<InterfaceFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-interface-'));
  cpSync(await largeCatalogue(apks), dataDir, { recursive: true });
  const server = await startServer({ dataDir, log: silent });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const token = await createTokenFor(server.store, 'owner');
    const times: number[] = [];
    let script = 0;
    let scrolled = { frames: 0, slowestFrame: 0 };
    for (let run = 0; run < starts; run++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addInitScript(
        (secret) =>
          localStorage.setItem('apk-workstation.session', JSON.stringify({ token: secret, username: 'owner' })),
        token,
      );
      const page = await context.newPage();
      script = 0;
      page.on('response', async (response) => {
        if (response.url().endsWith('.js')) script += (await response.request().sizes()).responseBodySize;
      });
      const began = performance.now();
      await page.goto(`${server.url}/app/#/catalogue`);
      await page.getByTestId('catalogue-row').first().waitFor();
      times.push(performance.now() - began);
      if (run === starts - 1) scrolled = await page.evaluate(scrollThrough, 10_000 * 38);
      await context.close();
    }
    return { interactive: median(times), script, ...scrolled };
  } finally {
    await browser.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Scrolls the list at an even pace for three seconds and watches the frames. Runs in the page. */
function scrollThrough(distance: number): Promise<{ frames: number; slowestFrame: number }> {
  const duration = 3000;
  const list = document.querySelector('section[aria-label="Catalogue"]')!;
  return new Promise((resolve) => {
    let first = 0;
    let last = 0;
    let frames = 0;
    let slowestFrame = 0;
    const frame = (now: number) => {
      if (first === 0) first = now;
      else {
        frames++;
        slowestFrame = Math.max(slowestFrame, now - last);
      }
      last = now;
      const share = (now - first) / duration;
      list.scrollTop = distance * share;
      if (share < 1) requestAnimationFrame(frame);
      else resolve({ frames: (1000 * frames) / (now - first), slowestFrame });
    };
    requestAnimationFrame(frame);
  });
}
