// What the desktop app itself remembers, apart from the workstation's own settings. Knows no window.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DesktopSettings {
  /** Where `{"version", "url"}` of the newest release is published; empty: updates are never looked for. */
  updateAddress: string;
  showsTray: boolean;
}

const defaults: DesktopSettings = { updateAddress: '', showsTray: true };

/** Reads `desktop.json`; what is missing or of another type is as at first. */
export function readDesktopSettings(path: string): DesktopSettings {
  try {
    const { updateAddress, showsTray } = JSON.parse(readFileSync(path, 'utf8')) as Partial<DesktopSettings>;
    return {
      updateAddress:
        typeof updateAddress === 'string' && /^https:\/\//.test(updateAddress) ? updateAddress : defaults.updateAddress,
      showsTray: typeof showsTray === 'boolean' ? showsTray : defaults.showsTray,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') writeDefaults(path);
    return defaults;
  }
}

/** So that there is a file to edit. */
function writeDefaults(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(defaults, null, 2)}\n`);
  } catch {
    // A full disk, or one that can only be read: nothing is lost, and the next start tries again.
  }
}
