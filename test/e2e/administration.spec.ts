// The owner's page in the window: accounts, sharing, settings, limits, storage, audit log.

import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realApks } from '../fixtures/real-apks.ts';
import { startScriptedAdbServer } from '../fixtures/scripted-adb-server.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

const sections = [
  'accounts',
  'sharing',
  'sessions',
  'analysis',
  'isolation',
  'workers',
  'antivirus',
  'devices',
  'folders',
  'mail',
  'signers',
  'lists',
  'libraries',
  'limits',
  'storage',
  'audit',
];

test('every section can be read by everybody, dark and light', async ({ window, workstation }) => {
  for (const section of sections) {
    await open(window, workstation, `/administration/${section}`);
    await expect(window.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await inBothSchemes(window, async (scheme) => {
      await expectAccessible(window);
      await keepScreenshot(window, `administration-${section}-${scheme}`);
    });
  }
});

test('the tables of accounts and limits fit into a window of 1024 pixels, and what they hold can be read', async ({
  window,
  workstation,
}) => {
  await workstation.analyst('erin', 'gold');
  await window.setViewportSize({ width: 1024, height: 768 });
  await open(window, workstation, '/administration/accounts');
  // What the words of the table mean stands above it.
  for (const term of ['Experts also trust APKs', 'rulesets as social (their matches', 'from basic to gold'])
    await expect(window.getByText(term)).toBeVisible();
  await expect(window.getByRole('button', { name: 'Reset the password of erin' })).toBeVisible();
  const table = window.getByRole('table').first();
  expect(await table.evaluate((it) => it.getBoundingClientRect().right <= innerWidth)).toBe(true);
  expect(await table.evaluate((it) => it.parentElement!.scrollWidth <= it.parentElement!.clientWidth)).toBe(true);
  await open(window, workstation, '/administration/limits');
  const last = window.getByLabel(/ for workstation$/).first();
  await expect(last).toBeVisible();
  const fits = await last.evaluate((field: HTMLInputElement) => [
    field.getBoundingClientRect().right <= innerWidth,
    field.scrollWidth <= field.clientWidth,
    field.closest('table')!.getBoundingClientRect().right <= innerWidth,
  ]);
  expect(fits).toEqual([true, true, true]);
  await window.setViewportSize({ width: 1440, height: 900 });
});

test('an account is made with a one-time password, moved to a group and disabled', async ({ window, workstation }) => {
  await open(window, workstation, '/administration/accounts');
  await window.getByLabel('User name').fill('dora');
  await window.getByRole('button', { name: 'Create account' }).click();
  await expect(window.getByText('One-time password of dora')).toBeVisible();
  await window.getByLabel('Group of dora').selectOption('silver');
  await expect.poll(async () => (await workstation.ask('/analysts/dora')).body.api_group).toBe('silver');
  await window.getByLabel('Role of dora').selectOption('Owner');
  await expect.poll(async () => (await workstation.ask('/analysts/dora')).body.role).toBe('owner');
  await window.getByLabel('Role of dora').selectOption('Analyst');
  await expect.poll(async () => (await workstation.ask('/analysts/dora')).body.role).toBe('analyst');
  await window.getByRole('button', { name: 'Reset the password of dora' }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect(window.getByText('One-time password of dora')).toHaveCount(2);
  await window.getByRole('switch', { name: 'dora is enabled' }).click();
  await expect.poll(async () => (await workstation.ask('/analysts/dora')).body.is_disabled).toBe(true);
});

test('sharing is switched on and off, shows address, QR code and fingerprint, and invites', async ({
  window,
  workstation,
}) => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  await workstation.ask('/settings/', {
    method: 'PATCH',
    json: { sharing_addresses: ['127.0.0.1'], sharing_port: port },
  });
  await open(window, workstation, '/administration/sharing');
  await window.getByRole('switch', { name: 'Share on the network' }).click();
  await expect(window.getByRole('img', { name: `QR code of https://127.0.0.1:${port}` })).toBeVisible();
  await expect(window.getByText(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)).toBeVisible();
  await window.getByLabel('User name').fill('erin');
  await window.getByRole('button', { name: 'Invite' }).click();
  await expect(window.getByTestId('invitation-link')).toContainText(`https://127.0.0.1:${port}/app/#/login?code=`);
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-sharing-on');
  await window.getByRole('switch', { name: 'Share on the network' }).click();
  await expect(window.getByTestId('listener')).toHaveCount(0);
});

test('a setting is saved, and a wrong one says so at its field', async ({ window, workstation }) => {
  await open(window, workstation, '/administration/mail');
  await window.getByLabel('Mail server').fill('not a host!');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('A host name or address.')).toBeVisible();
  await window.getByLabel('Mail server').fill('mail.example.org');
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('Saved.')).toBeVisible();
  expect((await workstation.ask('/settings/')).body.smtp_host).toBe('mail.example.org');
});

test('the largest upload is shown and set in the unit that one likes, and what is no size is refused', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/administration/analysis');
  const field = window.getByLabel('Largest upload');
  const save = window.getByRole('button', { name: 'Save', exact: true });
  await expect(field).toHaveValue('2 GiB');
  await field.fill('250.5 mb');
  await save.click();
  await expect(window.getByText('Saved.')).toBeVisible();
  await expect(field).toHaveValue('250.5 MB');
  expect((await workstation.ask('/settings/')).body.upload_max_bytes).toBe(250_500_000);
  await field.fill('many');
  await save.click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect((await workstation.ask('/settings/')).body.upload_max_bytes).toBe(250_500_000);
});

test('a backup runs with progress and is listed, and the audit log tells of it', async ({ window, workstation }) => {
  await open(window, workstation, '/administration/storage');
  await window.getByRole('button', { name: 'Back up now' }).click();
  // A backup is made by a process of its own, which gives way to everything else.
  await expect(window.getByTestId('backup')).toBeVisible({ timeout: 180_000 });
  await keepScreenshot(window, 'administration-backup');
  await window.getByRole('link', { name: 'Audit log' }).click();
  const records = window.getByTestId('audit-record');
  await expect(records.first()).toContainText('Starts a backup of the whole installation');
  await window.getByLabel('Action').fill('group');
  await expect(records.filter({ hasText: 'backup' })).toHaveCount(0);
  await window.getByLabel('Action').fill('starts a BACKUP');
  await expect(records).toHaveCount(1);
  await window.getByLabel('To').fill('2001-01-31');
  await expect(records).toHaveCount(0);
});

test('a folder on another drive is named, and a backup into it is made when it is asked for, with what it copied', async ({
  window,
  workstation,
}) => {
  const place = mkdtempSync(join(tmpdir(), 'apk-workstation-second-place-'));
  await open(window, workstation, '/administration/storage');
  const heading = window.getByRole('heading', { name: 'Backups by schedule' });
  const group = window.locator('section').filter({ has: heading }).last();
  await group.getByLabel('Folder on another drive or machine').fill(place);
  await group.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByText('Saved.')).toBeVisible();
  await group.getByRole('button', { name: 'Back up now' }).click();
  await expect(group.getByText('Complete')).toBeVisible({ timeout: 180_000 });
  await expect(group.getByRole('row', { name: /All backups/ })).toContainText('backup');
  await expectAccessible(window);
  await group.scrollIntoViewIfNeeded();
  await keepScreenshot(window, 'administration-backup-schedule');
});

test('devices at the adb server are listed and their apps taken into the catalogue', async ({
  window,
  workstation,
}) => {
  await using adb = await startScriptedAdbServer();
  const path = '/data/app/org.example.app-1/base.apk';
  const packages = `package:${path}=org.example.app versionCode:12\n`;
  adb.devices.set('emulator-5554', {
    state: 'device',
    more: 'product:sdk model:Phone_<b>bold</b> transport_id:1',
    files: new Map([[path, readFileSync(realApks.unicodeIme)]]),
    shell: (command) => {
      if (command.startsWith('pm list packages')) return { output: packages };
      if (command.startsWith('pm path')) return { output: `package:${path}\n` };
      return { output: '' };
    },
  });
  await open(window, workstation, '/administration/devices');
  await expect(window.getByText('Devices are not used')).toBeVisible();
  await window.getByLabel('Address of the adb server').fill(adb.address);
  await window.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.getByTestId('device')).toContainText('emulator-5554');
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-devices');
  await window.getByRole('button', { name: 'Import apps' }).click();
  await expect
    .poll(async () => (await workstation.ask('/apks/?search=installed:true')).body.count, { timeout: 30_000 })
    .toBe(1);
});

test('a signer is known good or bad with one click, and its APKs with it', async ({ window, workstation }) => {
  await workstation.upload(realApks.unlock);
  await open(window, workstation, '/administration/signers');
  const said = window.getByTestId('signer').first().getByRole('group');
  await said.getByRole('button', { name: 'Trusted' }).click();
  await expect.poll(async () => (await workstation.ask('/signers/?is_trusted=true')).body.count).toBe(1);
  await expectAccessible(window);
  await keepScreenshot(window, 'administration-signers');
  expect((await workstation.ask('/apks/?search=trusted:true known:good')).body.count).toBeGreaterThan(0);
});

test('a list of known files is imported, says so at its APKs, and what is no list says why', async ({
  window,
  workstation,
}) => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  await open(window, workstation, '/administration/lists');
  await expect(window.getByText('No list yet')).toBeVisible();
  const send = async (name: string, text: string) => {
    const chooser = window.waitForEvent('filechooser');
    await window.getByRole('button', { name: 'Choose file…' }).click();
    await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await window.getByRole('button', { name: 'Import', exact: true }).click();
  };
  await send('full dump.csv', `sha256_hash,signature\n${apk.sha256},Joker\n${'0'.repeat(64)},Other\nno hash\n`);
  const list = window.getByTestId('known-list');
  await expect(list).toContainText('1 line without a hash, the first is line 4');
  await expect(list).toContainText('full dump.csv');
  await send('nothing.csv', 'nothing\nat all\n');
  await expect(window.getByRole('alert')).toContainText('line 1 has no MD5, SHA-1 or SHA-256');
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `known-lists-${scheme}`);
    await expectAccessible(window);
  });
  await list.getByRole('link', { name: 'APKs it knows' }).click();
  const row = window.getByTestId('catalogue-row');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Known bad: Joker');
  await keepScreenshot(window, 'known-catalogue');
  await open(window, workstation, `/apks/${apk.sha256}/signature`);
  await window.getByRole('button', { name: 'Known bad signer' }).click();
  await expect(window.getByRole('button', { name: 'Known bad signer' })).toHaveAttribute('aria-pressed', 'true');
  await inBothSchemes(window, async (scheme) => {
    await keepScreenshot(window, `known-signer-${scheme}`);
    await expectAccessible(window);
  });
  await open(window, workstation, '/administration/lists');
  await list.getByRole('button', { name: /Delete/ }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(list).toHaveCount(0);
});

test('a folder of the machine is imported from here, goes on while the window is closed, tells what it refused and tries that again', async ({
  window,
  workstation,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-imported-'));
  const unlock = readFileSync(realApks.unlock);
  for (let index = 0; index < 20; index++)
    writeFileSync(join(folder, `${index}.apk`), Buffer.concat([unlock, Buffer.from(`import ${index}`)]));
  writeFileSync(join(folder, 'notes.txt'), 'no app');
  const quick = { analyze_dynamic_on_upload: false, analyze_static_on_upload: false, analyze_yara_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: quick });
  await open(window, workstation, '/catalogue');
  await window.getByRole('button', { name: 'Add APKs' }).click();
  await window.getByRole('menuitem', { name: /Path on the workstation/ }).click();
  await expect(window.getByText('Nothing was imported from here.')).toBeVisible();
  const path = window.getByLabel('Path of a folder, an APK or an archive');
  await path.fill('nowhere');
  await window.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(window.getByText('The path has to be absolute.')).toBeVisible();
  await path.fill(folder);
  await window.getByRole('combobox', { name: 'Tags of its APKs' }).fill('brought');
  await window.keyboard.press('Enter');
  // A disk that takes its time: the fifth file and those after it wait until somebody has stopped the import.
  const { intake } = workstation.server.services;
  const receive = intake.receiveApk.bind(intake);
  const stopped = Promise.withResolvers<void>();
  let received = 0;
  intake.receiveApk = async (...given) => {
    received += 1;
    if (received > 4) await stopped.promise;
    return receive(...given);
  };
  await window.getByRole('button', { name: 'Import', exact: true }).click();
  const row = window.getByTestId('import');
  await expect(row).toContainText(/of 21 files/);
  await row.getByRole('button', { name: /^Stop/ }).click();
  stopped.resolve();
  await expect(row).toHaveAttribute('data-state', 'stopped');
  await keepScreenshot(window, 'administration-import-stopped');
  await row.getByRole('button', { name: /^Go on/ }).click();
  await expect(row).not.toHaveAttribute('data-state', 'stopped');
  // Whoever closes the window loses nothing.
  await window.goto(`${workstation.url}/health/`);
  await open(window, workstation, '/administration/imports');
  await expect(row).toHaveAttribute('data-state', 'ended', { timeout: 120_000 });
  await expect(row).toContainText('21 of 21 files');
  await expect(row).toContainText('20 added');
  await row.getByRole('button', { name: /^What the import/ }).click();
  await expect(window.getByTestId('import-refusal')).toHaveCount(1);
  await expect(window.getByTestId('import-refusal')).toContainText('not an Android application');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `administration-imports-${scheme}`);
  });
  await window.setViewportSize({ width: 1024, height: 768 });
  expect(await row.evaluate((it) => it.getBoundingClientRect().right <= innerWidth)).toBe(true);
  writeFileSync(join(folder, 'notes.txt'), Buffer.concat([unlock, Buffer.from('an app after all')]));
  await window.getByRole('button', { name: 'Try these again' }).click();
  await expect(window.getByTestId('import-refusal')).toHaveCount(0);
  await expect(row).not.toContainText('refused');
  const { body } = await workstation.ask('/apks/?search=tag:brought');
  expect(body.count).toBe(21);
  await row.getByRole('button', { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
});

test('a sealed collection is written and taken in from here, a wrong passphrase says so, and what others said stands on the page of the APK', async ({
  window,
  workstation,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-collections-'));
  const path = join(folder, 'one.collection');
  const { body: apk } = await workstation.upload(realApks.unlock);
  const of = `/apks/${apk.sha256}`;
  await workstation.ask(`${of}/verdict/`, { method: 'PUT', json: { verdict: 'malicious', family: 'Joker' } });
  await workstation.ask(`${of}/comments/`, { method: 'POST', json: { text: 'Seen on three phones' } });
  await open(window, workstation, '/administration/collections');
  await expect(window.getByText('No sealed collection was written or read.')).toBeVisible();
  await window.getByLabel('Which APKs').fill('family:Joker');
  await window.getByLabel('Path of the new file').fill(path);
  const passphrase = window.getByLabel('Passphrase that seals it');
  await passphrase.fill('short');
  await expect(window.getByText('At least 12 characters.')).toBeVisible();
  await passphrase.fill('correct horse battery');
  await window.getByRole('button', { name: 'Write', exact: true }).click();
  const rows = window.getByTestId('collection');
  await expect(rows).toHaveAttribute('data-state', 'ended');
  await expect(rows).toContainText('1 APK');
  await expect(rows).toContainText('2 words of people and rules');

  await window.getByLabel('Path of the sealed collection').fill(path);
  await window.getByLabel('Its passphrase').fill('another horse battery');
  await window.getByRole('button', { name: 'Take in', exact: true }).click();
  await expect(rows.first()).toHaveAttribute('data-state', 'failed');
  await expect(rows.first()).toContainText('The passphrase is another one, or the file was altered.');
  // As on the workstation of a colleague, who has nothing of it.
  await workstation.ask(`${of}/`, { method: 'DELETE' });
  await workstation.ask('/trash/', { method: 'DELETE' });
  await window.getByLabel('Path of the sealed collection').fill(path);
  await window.getByLabel('Its passphrase').fill('correct horse battery');
  await window.getByRole('button', { name: 'Take in', exact: true }).click();
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toHaveAttribute('data-state', 'ended');
  await expect(rows.first()).toContainText('1 APK added');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `administration-collections-${scheme}`);
  });
  await window.goto(`${workstation.url}/app/#/apks/${apk.sha256}/community`);
  await expect(window.getByTestId('told')).toHaveCount(2);
  await expect(window.getByTestId('told').filter({ hasText: 'Seen on three phones' })).toContainText('owner');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `apk-told-${scheme}`);
  });
});

test('a folder is watched from here: its state, what became of its files, and a ruleset and tags of its own', async ({
  window,
  workstation,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-watched-'));
  copyFileSync(realApks.unlock, join(folder, 'unlock.apk'));
  writeFileSync(join(folder, 'notes.txt'), 'no app');
  await workstation.ask('/rulesets/', { method: 'POST', json: { name: 'of the folder', status: 'disabled' } });
  await open(window, workstation, '/administration/folders');
  await expect(window.getByText('No folder is watched.')).toBeVisible();
  await window.getByLabel('Path on the machine of the workstation').fill('nowhere');
  await window.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(window.getByText('The path has to be absolute.')).toBeVisible();
  await window.getByLabel('Path on the machine of the workstation').fill(folder);
  await window.getByRole('combobox', { name: 'Tags of its APKs' }).fill('dropped');
  await window.keyboard.press('Enter');
  await window.getByRole('combobox', { name: 'Rulesets of its own' }).click();
  await window.getByRole('option', { name: 'of the folder' }).click();
  await window.getByLabel('Seconds that a file must stay the same').fill('1');
  await window.getByRole('button', { name: 'Watch', exact: true }).click();
  const row = window.getByTestId('watched-folder');
  await expect(row).toContainText('watching');
  await row.getByRole('button', { name: /^Files of/ }).click();
  await expect(window.getByTestId('watched-file')).toHaveCount(2, { timeout: 30_000 });
  await expect(window.getByRole('link', { name: /1 APK added|1 held already/ })).toBeVisible();
  await expect(window.getByText(/not an Android application/)).toBeVisible();
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `administration-watched-folders-${scheme}`);
  });
  await window.setViewportSize({ width: 1024, height: 768 });
  const fits = await row.evaluate((it) => it.getBoundingClientRect().right <= innerWidth);
  expect(fits).toBe(true);
  await row.getByRole('button', { name: /^Change how/ }).click();
  await expect(window.getByRole('combobox', { name: 'Tags of what these rulesets match' }).first()).toBeVisible();
  await row.getByRole('switch').click({ force: true });
  await expect(row).toContainText('off');
  await row.getByRole('button', { name: /^Remove .* from the watched folders$/ }).click();
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(window.getByText('No folder is watched.')).toBeVisible();
});
