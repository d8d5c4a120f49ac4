// Fuzz target: whole damaged APKs through a running workstation, from the upload by way of its workers to the reports.
import { createHash } from 'node:crypto';
import type { Job } from '../../../server/contract/jobs/job.ts';
import { testApk } from '../../fixtures/dynamic/test-apps.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../../fixtures/workstation.ts';
import { apkFields, storedApk } from '../apk-samples.ts';
import { type FuzzTarget, hold } from '../target.ts';

const rules = `
import "androguard"
import "cuckoo"
import "droidbox"
rule by_report { condition: androguard.package_name(/./) and androguard.number_of_activities >= 0 }
rule by_sender { condition: droidbox.sendsms(/./) or cuckoo.network.dns_lookup(/./) }
rule by_dex { strings: $dex = "dex\\n0" $text = /[a-z]{4}[0-9]+/ condition: $dex at 0 or #text > 3 }
`;

let starting: Promise<TestWorkstation> | undefined;

async function started(): Promise<TestWorkstation> {
  const workstation = await startWorkstation();
  const json = { name: 'Hunt', is_public: true, rules };
  const { status, text } = await workstation.ask('/rulesets/', { method: 'POST', json });
  hold(status === 201, 'the rules are taken', text);
  return workstation;
}

const parts = [
  '',
  'analysis/androguard/',
  'analysis/cuckoo/',
  'analysis/dynamic/',
  'manifest/',
  'files/',
  'resources/',
  'code/',
  'code/search/?q=a',
  'code/permissions/',
  'matches/',
];

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

export const target: FuzzTarget = {
  subject: [],
  samples: () => [
    ...(['screens', 'receiver', 'packed', 'platform', 'strings'] as const).map((name) => testApk(name)),
    storedApk(realApks.unlock, 4096),
  ],
  fields: apkFields,
  refusals: [],
  // What its workers take is theirs to watch.
  maxCpuTime: () => 60_000,
  async run(bytes) {
    starting ??= started();
    const workstation = await starting;
    const before = workstation.logged.length;
    const uploaded = await workstation.upload(bytes);
    if (uploaded.status !== 201 && uploaded.status !== 200) {
      hold(
        isRefusal(uploaded.status) && typeof uploaded.body?.detail === 'string',
        'a refusal says why',
        uploaded.text,
      );
      return;
    }
    await workstation.server.idle();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { body } = await workstation.ask(`/jobs/?apk=${sha256}`);
    const jobs = body.results as Job[];
    const kinds = jobs.map(({ kind }) => kind);
    hold(
      ['static', 'dynamic', 'yara'].every((kind) => kinds.includes(kind)),
      'every analysis is made',
      kinds.join(),
    );
    for (const { kind, status, error_code, error } of jobs) {
      const isAnswer =
        status === 'done' || status === 'partial' || (status === 'failed' && error_code === 'not-an-apk');
      hold(isAnswer, `${kind} ends with an answer`, `${status} ${error_code} ${error}`);
    }
    for (const part of parts) {
      const { status, text } = await workstation.ask(`/apks/${sha256}/${part}`);
      hold(status === 200 || isRefusal(status), `${part} is answered`, `${status} ${text.slice(0, 200)}`);
    }
    const told = workstation.logged.slice(before).filter(({ level }) => level !== 'info');
    hold(told.length === 0, 'nothing is logged as wrong', JSON.stringify(told[0]));
    await workstation.ask(`/apks/${sha256}/`, { method: 'DELETE' });
  },
  async close() {
    await (await starting)?.[Symbol.asyncDispose]();
  },
};
