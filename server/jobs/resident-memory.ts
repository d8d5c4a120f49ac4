// How much memory another process occupies. Knows nothing of what it does.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Linux counts in pages, of 4 KiB on x86 and most ARM; larger pages would make the watch stricter, never laxer. */
const pageBytes = 4096;

/**
 * Resident memory of a process in bytes; null where it has ended, or where the system has no cheap way to ask
 * (Windows: there only the cap of the JavaScript heap and the cap of time hold).
 */
export async function residentMemory(pid: number): Promise<number | null> {
  try {
    if (process.platform === 'linux') {
      const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
      return Number(pages) * pageBytes;
    }
    if (process.platform === 'win32') return null;
    const { stdout } = await run('/bin/ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim()) * 1024;
  } catch {
    // The process ended before it could be asked; its end is reported elsewhere.
    return null;
  }
}
