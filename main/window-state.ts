// Where the window was when it was closed. Knows no window.
import { readFileSync, writeFileSync } from 'node:fs';

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowState {
  bounds: Bounds | null;
  isMaximized: boolean;
}

const minimum = { width: 1024, height: 640 };
/** So much of the window must lie on a screen for somebody to be able to take hold of it, in pixels. */
const reachable = 100;

/** @param screens work areas of the screens there are now: one may have been unplugged */
export function readWindowState(path: string, screens: readonly Bounds[]): WindowState {
  let stored: Partial<WindowState>;
  try {
    stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<WindowState>;
  } catch {
    // No state yet, or one that was cut off: the window opens as it did the first time.
    return { bounds: null, isMaximized: false };
  }
  const { bounds } = stored;
  const isNumbers = bounds && [bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isFinite);
  const usable = isNumbers && screens.some((screen) => isReachable(bounds, screen)) ? clamped(bounds) : null;
  return { bounds: usable, isMaximized: stored.isMaximized === true };
}

const clamped = ({ x, y, width, height }: Bounds): Bounds => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.max(minimum.width, Math.round(width)),
  height: Math.max(minimum.height, Math.round(height)),
});

function isReachable({ x, y, width }: Bounds, screen: Bounds): boolean {
  const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  return across >= reachable && y >= screen.y - 10 && y <= screen.y + screen.height - reachable;
}

export function writeWindowState(path: string, state: WindowState): void {
  try {
    writeFileSync(path, JSON.stringify(state));
  } catch {
    // A full disk, or one that can only be read: the window closes all the same, and opens as it did before.
  }
}
