// The catalogue as a long list: scrolling, keys, search, what arrives meanwhile.
import { realApks } from '../fixtures/real-apks.ts';
import { expect, keepScreenshot, open, test } from './window.ts';

const held = 1234;
const hash = (index: number, length: number) => index.toString(16).padStart(length, '0');

test.beforeAll(async ({ workstation }) => {
  await workstation.server.store.transaction(async ({ apks }) => {
    for (let index = 0; index < held; index++) {
      await apks.insert({
        sha256: hash(index, 64),
        sha1: hash(index, 40),
        md5: hash(index, 32),
        size: 1000 + index,
        app: `App number ${index}`,
        packageName: `com.example.app${index}`,
        isStaticAnalyzed: true,
        isDetected: index % 7 === 0,
      });
    }
  });
});

test('the list scrolls through everything, newest first, and back', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-count')).toHaveText('1,234 APKs');
  const list = window.getByRole('region', { name: 'Catalogue' });
  await expect(window.getByTestId('catalogue-row').first()).toContainText(`App number ${held - 1}`);
  await keepScreenshot(window, 'catalogue-long');
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect(window.getByText(/App number 6\d\d/).first()).toBeVisible();
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(window.getByText('App number 0', { exact: true })).toBeVisible();
  expect(await window.getByTestId('catalogue-row').count()).toBeLessThan(80);
  await list.evaluate((element) => element.scrollTo(0, 0));
  await expect(window.getByText(`App number ${held - 1}`)).toBeVisible();
});

test('rows come wherever one jumps to in a long list, however many pages were seen', async ({
  window,
  workstation,
}) => {
  const count = 100_000;
  const { body } = await workstation.ask('/apks/?page_size=1');
  await window.route(/\/apks\/\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const first = Number(searchParams.get('cursor') ?? searchParams.get('skip') ?? 0);
    const length = Number(searchParams.get('page_size'));
    const results = Array.from({ length }, (_, at) => {
      return { ...body.results[0], sha256: hash(first + at, 64), app: `App number ${first + at}` };
    });
    const next = `${workstation.url}/apks/?cursor=${first + length}`;
    return route.fulfill({ json: { count, next, previous: null, results } });
  });
  await open(window, workstation, '/catalogue');
  const list = window.getByRole('region', { name: 'Catalogue' });
  await expect(window.getByTestId('catalogue-count')).toHaveText('100,000 APKs');
  for (let row = 2_000; row < count; row += 3_500) {
    await list.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), row / count);
    await expect(window.getByText(`App number ${row + 3}`, { exact: true })).toBeVisible();
  }
});

test('keys move through the list, open an APK and come back to the same place', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  for (let step = 0; step < 4; step++) await window.keyboard.press('j');
  await window.keyboard.press('k');
  await window.keyboard.press('Enter');
  await expect(window.getByTestId('app-name')).toHaveText(`App number ${held - 3}`);
  await window.keyboard.press('Escape');
  await expect(window.locator('[data-current]')).toContainText(`App number ${held - 3}`);
  await window.keyboard.press('G');
  await expect(window.locator('[data-current]')).toContainText('App number 0');
  await window.keyboard.press('/');
  await expect(window.getByLabel('Search the catalogue')).toBeFocused();
});

test('coming back from an APK deep in the list leads to the same rows', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  const list = window.getByRole('region', { name: 'Catalogue' });
  await list.evaluate((element) => element.scrollTo(0, 20_000));
  const row = window.getByText('App number 700', { exact: true });
  await row.click();
  await expect(window.getByTestId('app-name')).toHaveText('App number 700');
  await window.goBack();
  await expect(row).toBeInViewport();
});

test('a search has an address, shows what matches and is cleared again', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await window.getByLabel('Search the catalogue').fill('app777');
  await window.keyboard.press('Enter');
  await expect(window).toHaveURL(/search=app777/);
  await expect(window.getByTestId('catalogue-count')).toHaveText('1 APK');
  await window.getByLabel('Search the catalogue').fill('nothing has this name');
  await window.keyboard.press('Enter');
  await expect(window.getByText('No APK matches')).toBeVisible();
  await window.goBack();
  await expect(window.getByTestId('catalogue-count')).toHaveText('1 APK');
  await window.getByRole('button', { name: 'Clear the search' }).click();
  await expect(window.getByTestId('catalogue-count')).toHaveText('1,234 APKs');
});

test('an APK that arrives is announced where the top is out of view, and rows stay where they are', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByTestId('catalogue-row').first()).toBeVisible();
  const row = window.getByTestId('catalogue-row').and(window.locator('[data-index="110"]'));
  const list = window.getByRole('region', { name: 'Catalogue' });
  await list.evaluate((element) => element.scrollTo(0, 4000));
  await expect(row).toContainText('App number');
  const before = await row.textContent();
  await workstation.upload(realApks.unlock);
  await window.getByRole('button', { name: '1 new APK' }).waitFor();
  expect(await row.textContent()).toBe(before);
  await window.getByRole('button', { name: '1 new APK' }).click();
  await expect(window.getByText('io.appium.unlock')).toBeVisible();
});

test('a server that goes away is announced and found again', async ({ window, workstation }) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('Live')).toBeVisible();
  await window.route('**/events/', (route) => route.abort());
  await window.reload();
  await expect(window.getByText('The workstation cannot be reached')).toBeVisible();
  await window.unroute('**/events/');
  await expect(window.getByText('The workstation cannot be reached')).toBeHidden({ timeout: 120_000 });
  await expect(window.getByText('Live')).toBeVisible();
});

test('a page whose code cannot be fetched says that the server is away, and comes once it is back', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue');
  await expect(window.getByText('Live')).toBeVisible();
  await window.route('**/events/', (route) => route.abort());
  await window.reload();
  await expect(window.getByText('The workstation cannot be reached')).toBeVisible();
  await window.route('**/assets/**', (route) => route.abort());
  await window.evaluate(() => location.assign('#/dashboard'));
  await expect(window.getByText('The workstation is not responding')).toBeVisible();
  await window.unrouteAll();
  await expect(window.getByRole('heading', { name: 'Dashboard' })).toBeVisible({ timeout: 120_000 });
});

test('a search that is not understood shows where it goes wrong', async ({ window, workstation }) => {
  await window.route(/\/apks\/\?.*search=/, (route) =>
    route.fulfill({ status: 400, json: { detail: 'Unknown field "colour".', position: 11 } }),
  );
  await open(window, workstation, `/catalogue?search=${encodeURIComponent('size:>1000 colour:red')}`);
  await expect(window.getByTestId('search-fault')).toContainText('Unknown field "colour".');
  await expect(window.getByTestId('fault-position')).toHaveText('colour:red');
});
