// Rules proposed from APKs that are selected in the catalogue, from a family and from one APK: followed, judged, changed, opened in
// the editor, hunted with.
import { familyMember, unrelatedApp } from '../fixtures/built-family.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { staticAnalyses } from '../fixtures/static-analyses.ts';
import { expect, expectAccessible, inBothSchemes, keepScreenshot, open, test } from './window.ts';

test.beforeAll(async ({ workstation }) => {
  for (const version of [0, 1, 2]) await workstation.upload(familyMember(version));
  for (const app of [unrelatedApp(0), unrelatedApp(1), realApks.unlock]) await workstation.upload(app);
  await staticAnalyses(workstation);
  await workstation.server.services.familyUpkeep.settled();
});

test('rules are proposed from selected APKs and from a family, with reasons and coverage, lose a literal, are edited and hunted with', async ({
  window,
  workstation,
}) => {
  await open(window, workstation, '/catalogue?search=gallery');
  for (const version of [0, 1, 2])
    await window.getByRole('checkbox', { name: `Select com.example.gallery${version}` }).check();
  await window.getByRole('button', { name: 'Propose rules' }).click();
  const coverage = window.getByTestId('coverage');
  await expect(window).toHaveURL(/rule-proposals\/[0-9A-Za-z]{16}/);
  await expect(coverage).toContainText('3 of 3 chosen');
  await expect(coverage).toContainText('0 of 0 known good, 0 of 3 others');
  await expect(window.getByTestId('literal').first()).toContainText('in 3 of 3 chosen');
  await inBothSchemes(window, async (scheme) => {
    await expectAccessible(window);
    await keepScreenshot(window, `rule-proposal-${scheme}`);
  });

  const [first] = await window.getByRole('checkbox', { name: /^Use literal t/ }).all();
  const name = (await first!.getAttribute('aria-label'))!.replace('Use literal ', '$');
  await expect(window.locator('pre')).toContainText(`${name} = `);
  await first!.press('Space');
  await expect(window.locator('pre')).not.toContainText(`${name} = `);
  await window.getByRole('button', { name: 'Open in editor' }).click();
  await expect(window).toHaveURL(/rulesets\/[0-9A-Za-z]{16}$/);
  await expect(window.locator('.cm-content')).toContainText('rule ');
  await expect(window.locator('.cm-content')).not.toContainText(`${name} = `);

  const sizes = async () =>
    (await workstation.ask('/families/')).body.results.map(({ apks_count: apks }: { apks_count: number }) => apks);
  await expect.poll(sizes).toEqual([3]);
  await open(window, workstation, '/families');
  await window.getByTestId('family').getByRole('link').first().click();
  await expect(window.getByTestId('member')).toHaveCount(3);
  await window.getByRole('button', { name: 'Propose rules' }).click();
  await expect(coverage).toContainText('3 of 3 chosen');
  await window.getByRole('button', { name: 'Save and hunt' }).click();
  await expect(window).toHaveURL(/rulesets\/[0-9A-Za-z]{16}\/hunts/);
  await expect(window.getByTestId('hunt').first()).toContainText('3 matches');
});

test('where nothing tells an APK from known good ones, the page says what to do', async ({ window, workstation }) => {
  const { body } = await workstation.upload(realApks.unicodeIme);
  await staticAnalyses(workstation);
  await workstation.ask(`/apks/${body.sha256}/`, { method: 'PATCH', json: { is_trusted: true } });
  await open(window, workstation, `/apks/${body.sha256}`);
  await window.getByRole('button', { name: 'Propose rules' }).click();
  await expect(window).toHaveURL(/rule-proposals/);
  await expect(window.getByRole('heading', { name: 'Proposed rules' })).toBeVisible();
  await expect(
    window.getByText('Nothing tells these APKs from others').or(window.getByTestId('coverage')),
  ).toBeVisible();
  await expectAccessible(window);
});
