// Prints pages of the server's as PDF files in a window that nobody sees. Knows no page, and trusts none.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrowserWindow, session } from 'electron';

/** Of its own, in memory alone: no cookie of the interface's is in it. */
const partition = 'printing';

/** A page as a PDF file: no script of it runs, and it loads nothing but itself. @throws Error */
export async function printedPage(page: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'apk-workstation-print-'));
  const source = join(folder, 'page.html');
  const address = pathToFileURL(source).href;
  session
    .fromPartition(partition)
    .webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: url !== address && !url.startsWith('data:') }));
  const window = new BrowserWindow({
    show: false,
    webPreferences: { partition, sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  });
  try {
    await writeFile(source, page, { mode: 0o600 });
    window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
    await window.loadURL(address);
    return await window.webContents.printToPDF({ pageSize: 'A4', printBackground: false });
  } finally {
    window.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}
