// Rules proposed from chosen APKs, over HTTP on a real workstation with real workers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RuleProposal, ruleProposalSchema } from '../../server/contract/rules/rule-proposal.ts';
import { familyMember, unrelatedApp } from '../fixtures/built-family.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { staticAnalyses } from '../fixtures/static-analyses.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
let earlier: string[];
let later: string[];
let good: string[];
let strangers: string[];

const ask = (path: string, method = 'GET', json?: unknown, token = ada) =>
  workstation.ask(path, { method, token, ...(json === undefined ? {} : { json }) });

async function held(apks: readonly (Buffer | string)[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const apk of apks) hashes.push((await workstation.upload(apk)).body.sha256);
  return hashes;
}

async function proposed(json: object): Promise<RuleProposal> {
  const { status, body, text } = await ask('/rule_proposals/', 'POST', json);
  assert.equal(status, 202, text);
  const begun = ruleProposalSchema.parse(body);
  await workstation.jobEnd(begun.job.id);
  return ruleProposalSchema.parse((await ask(`/rule_proposals/${begun.id}/`)).body);
}

/** What a dry run says that rules match, by SHA-256. */
async function matched(rules: string, apks: readonly string[]): Promise<Map<string, string[]>> {
  const { status, body, text } = await ask('/rulesets/dry_run/', 'POST', { rules, apks });
  assert.equal(status, 201, text);
  await workstation.jobEnd(body.job.id);
  const run = (await ask(`/dry_runs/${body.id}/`)).body;
  assert.deepEqual(run.failures, []);
  return new Map(
    run.matches.map((match: { apk: { sha256: string }; rules_matched: { name: string }[] }) => [
      match.apk.sha256,
      [...new Set(match.rules_matched.map(({ name }) => name))].toSorted(),
    ]),
  );
}

before(async () => {
  workstation = await startWorkstation({ onUpload: ['static'] });
  ada = await workstation.analyst('ada', 'workstation');
  earlier = await held([0, 1, 2, 3, 4].map(familyMember));
  later = await held([5, 6, 7, 8].map(familyMember));
  good = await held([0, 1, 2].map(unrelatedApp));
  strangers = await held([unrelatedApp(3), unrelatedApp(4), realApks.unlock, realApks.unicodeIme]);
  await staticAnalyses(workstation);
  for (const sha256 of good) await workstation.ask(`/apks/${sha256}/`, { method: 'PATCH', json: { is_trusted: true } });
});
after(() => workstation[Symbol.asyncDispose]());

let proposal: RuleProposal;

test('rules from the earlier members of a family meet its later ones and nothing known good', async () => {
  proposal = await proposed({ apks: earlier, name: 'Bot "net"' });
  assert.deepEqual([proposal.status, proposal.failures, proposal.apks_count], ['done', [], earlier.length]);
  assert.equal(proposal.met_count, earlier.length);
  assert.deepEqual([proposal.false_hits_count, proposal.known_good_hits_count], [0, 0]);
  assert.deepEqual([proposal.known_good_count, proposal.others_count], [good.length, strangers.length]);

  const hits = await matched(proposal.rules, [...later, ...good, ...strangers]);
  const met = later.filter((sha256) => hits.has(sha256)).length;
  assert.ok(met >= 0.8 * later.length, `${met} of ${later.length} later members`);
  assert.deepEqual(
    [...hits.keys()].filter((sha256) => !later.includes(sha256)),
    [],
  );
});

test('what the rules are said to meet is what a scan with them finds', async () => {
  assert.deepEqual(
    proposal.proposed.map(({ name }) => name),
    ['Bot_net_reports', 'Bot_net_texts', 'Bot_net_code'],
  );
  const hits = await matched(proposal.rules, earlier);
  for (const { apk, rules } of proposal.chosen) assert.deepEqual(rules.toSorted(), hits.get(apk.sha256) ?? []);
});

test('each literal says why it was chosen, and none is what a library or one build alone has', () => {
  for (const group of ['text', 'code'])
    assert.ok(
      proposal.literals.some((literal) => literal.group === group),
      group,
    );
  for (const { reason, value, chosen_count } of proposal.literals) {
    assert.match(reason, /^in \d of 5 chosen, in none of 3 known good, in none of 4 others tried/);
    assert.doesNotMatch(value, /advert network|compiled for release/);
    assert.ok(chosen_count >= 2);
  }
  assert.ok(proposal.literals.every(({ where }) => !where.includes('Lq/a;')));
  const text = proposal.literals.find(({ group }) => group === 'text')!;
  assert.match(text.reason, /, in no known library$/);
});

test('a literal that is left out is in no rule, and comes back', async () => {
  const [out] = proposal.literals.filter(({ group }) => group === 'text');
  const address = `/rule_proposals/${proposal.id}/`;
  const without = ruleProposalSchema.parse((await ask(address, 'PATCH', { left_out: [out!.id] })).body);
  assert.ok(proposal.rules.includes(out!.source) && !without.rules.includes(out!.source));
  assert.ok(without.literals.find(({ id }) => id === out!.id)!.is_left_out);
  const none = (await ask(address, 'PATCH', { left_out: proposal.literals.map(({ id }) => id) })).body;
  assert.deepEqual([none.rules, none.met_count], ['', 0]);
  assert.deepEqual((await ask(address, 'PATCH', { left_out: [] })).body.rules, proposal.rules);
  assert.equal((await ask(address, 'PATCH', { left_out: ['t999'] })).status, 400);
});

test('reports of a real app come first: its components, hosts and name', async () => {
  const [app] = await held([realApks.settings]);
  await staticAnalyses(workstation);
  const { rules, proposed: made, literals } = await proposed({ search: `sha256:${app}` });
  assert.equal(made[0]!.group, 'report');
  assert.match(rules, /^import "androguard"\n/);
  assert.ok(literals.some(({ source }) => source.startsWith('androguard.receiver("io.appium.settings.receivers.')));
  assert.ok(literals.some(({ catalogue_count }) => catalogue_count === 0));
  assert.deepEqual([...(await matched(rules, [app!, ...strangers, ...earlier])).keys()], [app]);
});

test('the members of a family may be the chosen ones', async () => {
  const made = await ask('/families/', 'POST', { name: 'Gallery', apks: earlier });
  assert.equal(made.status, 201, made.text);
  const { met_count, name, rules } = await proposed({ family: made.body.id });
  assert.deepEqual([met_count, name], [earlier.length, 'Gallery']);
  assert.match(rules, /^rule Gallery_code$/m);
  assert.equal((await ask('/rule_proposals/', 'POST', { family: 'nothing' })).status, 400);
  const gone = workstation.server.services.ids.encode('family', 999_999);
  assert.equal((await ask('/rule_proposals/', 'POST', { family: gone })).status, 404);
});

test('a proposal is its account’s, needs APKs that are there, and can be ended', async () => {
  const ben = await workstation.analyst('ben');
  assert.equal((await ask(`/rule_proposals/${proposal.id}/`, 'GET', undefined, ben)).status, 404);
  assert.equal((await ask('/rule_proposals/', 'POST', {})).status, 400);
  assert.equal((await ask('/rule_proposals/', 'POST', { apks: ['0'.repeat(64)] })).status, 400);
  const begun = (await ask('/rule_proposals/', 'POST', { apks: earlier })).body;
  const { body } = await ask(`/rule_proposals/${begun.id}/cancel/`, 'POST', {});
  assert.deepEqual([body.status, body.error_code, body.rules], ['failed', 'cancelled', '']);
  assert.match((await ask(`/jobs/${begun.job.id}/`)).body.result_url, /\/rule_proposals\//);
});
