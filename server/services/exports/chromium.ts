// Prints pages by a Chromium that is installed on this machine, without a window, a profile or a network. Knows no page.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { PrintEngine } from './printing.ts';

const run = promisify(execFile);

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const otherPlaces: readonly string[] =
  process.platform === 'win32'
    ? [process.env.ProgramFiles, process.env['ProgramFiles(x86)']].flatMap((folder) =>
        folder === undefined
          ? []
          : ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((name) =>
              join(folder, name),
            ),
      )
    : [
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
      ];

/** An engine of this machine's Chromium; null where none is installed. @param path where programs are looked for */
export function installedChromium(path = process.env.PATH ?? ''): PrintEngine | null {
  const inPath = path
    .split(delimiter)
    .flatMap((folder) => (folder === '' ? [] : names.map((name) => join(folder, name))));
  const program = [...inPath, ...otherPlaces].find((place) => existsSync(place));
  return program === undefined ? null : { print: (page, signal) => printed(program, page, signal) };
}

async function printed(program: string, page: string, signal: AbortSignal): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'apk-workstation-print-'));
  try {
    const [source, pdf] = [join(folder, 'page.html'), join(folder, 'page.pdf')];
    await writeFile(source, page, { mode: 0o600 });
    const words = [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-extensions', '--disable-background-networking'],
      // The page's own policy lets it load and run nothing. Whatever else the program wants of a network leads nowhere.
      ...['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=127.0.0.1:9', '--proxy-bypass-list=<-loopback>'],
      // Its sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...[`--user-data-dir=${join(folder, 'profile')}`, '--no-pdf-header-footer', `--print-to-pdf=${pdf}`],
      pathToFileURL(source).href,
    ];
    await run(program, words, { signal, killSignal: 'SIGKILL', env: { PATH: process.env.PATH ?? '', HOME: folder } });
    return await readFile(pdf);
  } catch (error) {
    // The system's own words name folders of this machine, which are nothing for clients.
    const { code } = error as { code?: number | string };
    throw new Error(signal.aborted ? 'it takes too long' : `the browser made none (${code ?? 'it was ended'})`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
