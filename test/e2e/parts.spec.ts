// An app of several files in the window: dropped together, shown as one.
import { splitApp } from '../fixtures/split-app.ts';
import { drop, expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

test('files of one app that are dropped together are one APK, whose page says what each part adds', async ({
  window,
  workstation,
}) => {
  const files = Object.entries(splitApp('in the window')).map(([name, bytes]) => ({ name, bytes }));
  const before = (await workstation.ask('/apks/')).body.count;
  await open(window, workstation, '/catalogue');
  await drop(window, files.reverse());
  await expect
    .poll(async () => (await workstation.ask('/apks/?search=com.example.app')).body.results[0]?.sha256, {
      timeout: 30_000,
    })
    .toBeTruthy();
  const { sha256 } = (await workstation.ask('/apks/?search=com.example.app')).body.results[0];
  await expect
    .poll(async () => (await workstation.ask(`/apks/${sha256}/`)).body.parts.length, { timeout: 30_000 })
    .toBe(3);
  expect((await workstation.ask('/apks/')).body.count).toBe(before + 1);
  await workstation.server.idle();
  await open(window, workstation, `/apks/${sha256}`);
  await expect(window.getByRole('heading', { name: 'Installed with 3 parts' })).toBeVisible();
  await expect(window.getByText(/arm64-v8a/).first()).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `parts-${scheme}`);
  });
});
