// What the desktop app itself remembers, apart from the workstation's own settings. Knows no window.
import { readFileSync, writeFileSync } from 'node:fs';

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
    const isFirst = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isFirst) writeFileSync(path, `${JSON.stringify(defaults, null, 2)}\n`);
    return defaults;
  }
}
