// A real workstation with a browser on it, for the tests of the window. Knows nothing of any screen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, test as base, expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { electronProgram } from '../fixtures/electron-program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { expectQuickly } from './quick-expectations.ts';

const screenshots = join(import.meta.dirname, '../../test-results/screenshots');

interface WindowFixtures {
  /** One for each test file, so that no file sees another's APKs. */
  workstation: TestWorkstation;
  /** A page with the owner logged in, at no address yet. A script error or a request to elsewhere fails the test. */
  window: Page;
}

interface WorkerFixtures {
  workstationOf: (file: string) => Promise<TestWorkstation>;
}

export const test = base.extend<WindowFixtures, WorkerFixtures>({
  workstationOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are used out of the pattern
    async ({}, use) => {
      let current: { file: string; workstation: TestWorkstation } | null = null;
      await use(async (file) => {
        if (current?.file !== file) {
          await current?.workstation[Symbol.asyncDispose]();
          current = { file, workstation: await startWorkstation() };
        }
        return current.workstation;
      });
      await (current as { workstation: TestWorkstation } | null)?.workstation[Symbol.asyncDispose]();
    },
    { scope: 'worker' },
  ],
  /** In the project `desktop` the page is that of Electron's real window, with a server of its own behind it at first. */
  page: async ({ page }, use, { project }) => {
    await expectQuickly(page);
    const program = electronProgram();
    if (project.name !== 'desktop' || 'missing' in program) return use(page);
    const home = temporaryFolder('desktop');
    const app = await _electron.launch({
      executablePath: program.path,
      args: ['--no-sandbox', `--user-data-dir=${home}`, 'dist/main/main.js'],
      env: { ...process.env, APK_WORKSTATION_DATA: join(home, 'data') } as Record<string, string>,
    });
    await use(await app.firstWindow());
    await app.close();
  },
  workstation: async ({ workstationOf }, use, { file }) => use(await workstationOf(file)),
  window: async ({ page, workstation }, use) => {
    const faults = watchFaults(page, workstation.url);
    await page.addInitScript(
      ([token]) => localStorage.setItem('apk-workstation.session', JSON.stringify({ token, username: 'owner' })),
      [workstation.ownerToken],
    );
    await use(page);
    expect(faults).toEqual([]);
  },
});
export { expect };

/** Collects what must never happen: uncaught errors, breaches of the content security policy, requests to anywhere else. */
export function watchFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url()))
      faults.push(`left: ${request.url()}`);
  });
  return faults;
}

/** Opens an address of the window, `/catalogue`. */
export async function open(page: Page, workstation: TestWorkstation, address: string): Promise<void> {
  await page.goto(`${workstation.url}/app/#${address}`);
}

/** Holds files above the window, or something in it, by their names and bytes. @returns what is held */
export async function dragFiles(page: Page, files: { name: string; bytes: Buffer }[], place = 'main') {
  const transfer = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      return data;
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
  );
  for (const type of ['dragenter', 'dragover']) await page.dispatchEvent(place, type, { dataTransfer: transfer });
  return transfer;
}

/** Drops files on the window as a person does. */
export async function drop(page: Page, files: { name: string; bytes: Buffer }[], place = 'main'): Promise<void> {
  const dataTransfer = await dragFiles(page, files, place);
  await page.dispatchEvent(place, 'drop', { dataTransfer });
}

interface AxeCheck {
  /** What a check says of its verdict goes to `data`. */
  evaluate(this: { data(said: object): void }, ...of: [Element, ...unknown[]]): boolean | undefined;
}

/** What of axe is changed, as it stands in the page. */
interface AxeInPage {
  run(options: RunOptions): Promise<AxeResults>;
  _audit: {
    rules: { id: string; matches(...of: [Element, ...unknown[]]): boolean }[];
    checks: Record<string, AxeCheck>;
  };
}

/** Texts whose contrast was found well, by their style: pages of one process have the same style sheets. */
const soundStyles = new Set<string>();

interface AxeFindings {
  violations: string[];
  /** Styles whose contrast was found well just now. */
  sound: string[];
}

/**
 * Runs axe; what runs in the page. Contrast is the rule that costs most, and the same for all texts of the same letters and
 * colours on the same backgrounds: each such style is looked at once. Where nothing else is asked, and all styles are known,
 * axe has nothing to do.
 */
async function findingsInPage([runOnly, known]: [string[], string[]]): Promise<AxeFindings> {
  const { axe } = window as unknown as { axe: AxeInPage };
  const seenStyles = new Set(known);
  const sound: string[] = [];
  const backgrounds = new Map<Element, string>();
  const styles = new Map<Element, string>();
  const backgroundOf = (element: Element | null): string => {
    if (element === null) return '';
    let background = backgrounds.get(element);
    if (background === undefined) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
      background = `${backgroundOf(element.parentElement)} ${backgroundColor} ${backgroundImage} ${opacity} ${position}`;
      backgrounds.set(element, background);
    }
    return background;
  };
  const styleOf = (element: Element) => {
    let style = styles.get(element);
    if (style === undefined) {
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      style = `${backgroundOf(element)} ${color} ${fontSize} ${fontWeight} ${textShadow}`;
      styles.set(element, style);
    }
    return style;
  };
  /** Axe's own rule asks the same, after all that costs more. */
  const hasText = (element: Element) =>
    /^(?:input|select|textarea)$/i.test(element.tagName) ||
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue!.trim() !== '');
  const isNew = (element: Element) =>
    hasText(element) && element.checkVisibility({ visibilityProperty: true }) && !seenStyles.has(styleOf(element));
  if (runOnly.every((rule) => rule === 'color-contrast') && ![...document.querySelectorAll('*')].some(isNew))
    return { violations: [], sound };
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast')!;
  const check = axe._audit.checks['color-contrast']!;
  const { matches } = rule;
  const { evaluate } = check;
  rule.matches = (element, ...more) => isNew(element) && matches.call(rule, element, ...more);
  check.evaluate = function (element, ...more) {
    const style = styleOf(element);
    if (seenStyles.has(style)) return true;
    let isOutOfSight = false;
    const data = (said: { messageKey?: string }) => {
      isOutOfSight = said.messageKey === 'hidden';
      this.data(said);
    };
    const verdict = evaluate.call({ ...this, data }, element, ...more);
    // Of what lies under something else it cannot tell.
    if (verdict === true && !isOutOfSight) {
      seenStyles.add(style);
      sound.push(style);
    }
    return verdict;
  };
  try {
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] });
    const lines = violations.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`,
    );
    return { violations: lines, sound };
  } finally {
    rule.matches = matches;
    check.evaluate = evaluate;
  }
}

/**
 * Fails on violations of WCAG A and AA that hinder people. The dark scheme changes nothing but colours: only their contrast is
 * looked at there.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.evaluate(endOfTransitions);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const rules = isDark ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations, sound } = await page.evaluate(findingsInPage, [rules, [...soundStyles]] as [string[], string[]]);
  for (const style of sound) soundStyles.add(style);
  expect(violations).toEqual([]);
}

/** What fades in has its colours when it is there: two frames later all that is to move has begun to. */
async function endOfTransitions(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Looks at what a page shows in the dark scheme, then in the light one, in which the page is left. */
export async function inBothSchemes(page: Page, look: (scheme: string) => Promise<void>): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await look(colorScheme);
  }
}

/** Keeps a picture for people to look at, where they ask for pictures: one takes as much of the processor as a look by axe. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.APK_WORKSTATION_PICTURES === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  const session = await page.context().newCDPSession(page);
  // Playwright's own packs the picture tightly, which takes thrice as long.
  const { data } = await session.send('Page.captureScreenshot', { optimizeForSpeed: true });
  writeFileSync(join(screenshots, `${name}.png`), data, 'base64');
  await session.detach();
}
