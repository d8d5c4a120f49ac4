// `npm run bench -- hunts`: retrohunts with the index of contents and without it, over APKs that are put together from files
// of real ones, as Markdown tables.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { startServer } from '../../server/app/server.ts';
import { retrohuntSchema } from '../../server/contract/rules/retrohunt.ts';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { createTokenFor } from '../../server/services/people/accounts.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip, type ZipEntryPlan } from '../fixtures/zip-builder.ts';
import { dice } from './large-catalogue.ts';

/** What APKs are put together, each with as many files beside its manifest. */
interface HuntedApks {
  readonly count: number;
  readonly dexFiles: number;
  readonly otherFiles: number;
}
/** One of so many APKs has the rare text. */
const rareEach = 250;
const sizes = [100_000, 1_000_000];

type Packed = ZipEntryPlan & { content: Uint8Array };

function realFiles(): { dexes: Packed[]; manifests: Packed[]; others: Packed[] } {
  const files = [realApks.uiautomator2Server, realApks.minicap, realApks.apiDemos, realApks.settings].flatMap(
    (path) => {
      const archive = openZip(memorySource(readFileSync(path)), new Findings());
      return archive.entries.map((entry): Packed => {
        const content = archive.read(entry);
        return { name: entry.name, method: 8, isDeflated: true, content, packed: deflateRawSync(content) };
      });
    },
  );
  const isDex = ({ name, content }: Packed) => /^classes\d*\.dex$/.test(String(name)) && content.length > 5e5;
  const isManifest = ({ name }: Packed) => name === 'AndroidManifest.xml';
  return {
    dexes: files.filter(isDex),
    manifests: files.filter(isManifest),
    others: files.filter((file) => !isManifest(file) && !/\.dex$/.test(String(file.name)) && file.content.length < 1e6),
  };
}

/** APKs one after the other, each with a text that no other has. */
function* builtApks({ count, dexFiles, otherFiles }: HuntedApks): Generator<Buffer> {
  const { dexes, manifests, others } = realFiles();
  const { below } = dice(19);
  for (let index = 0; index < count; index++) {
    const rare = index % rareEach === 0 ? ' the rare text of a family' : '';
    const note = Buffer.from(`This is the note of app number ${index}.${rare} `.repeat(3));
    yield buildZip({
      entries: [
        manifests[below(manifests.length)]!,
        ...Array.from({ length: dexFiles }, (_, at) => ({
          ...dexes[below(dexes.length)]!,
          name: `classes${at === 0 ? '' : at + 1}.dex`,
        })),
        ...Array.from({ length: otherFiles }, (_, at) => ({ ...others[below(others.length)]!, name: `assets/${at}` })),
        { name: 'assets/note.txt', method: 8, content: note },
      ],
    });
  }
}

const rules: Record<string, string> = {
  'a text that no APK has': 'rule r { strings: $a = "not anywhere in these files" condition: $a }',
  'a text that one of 250 APKs has': 'rule r { strings: $a = "the rare text of a family" condition: $a }',
  'two texts, one of them in every APK': `rule r { strings: $a = "the rare text of a family" $b = "This is the note of app number" condition: $a and $b }`,
  'six bytes that no APK has': 'rule r { strings: $a = { f1 e2 d3 c4 b5 a6 } condition: $a }',
};

/** Asks once more where a kept connection was closed just when it was to be used. */
const request = (url: string, init: RequestInit) => fetch(url, init).catch(() => fetch(url, init));

/** A workstation with all APKs, asked over HTTP. */
async function workstation(dataDir: string) {
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const server = await startServer({ dataDir, log });
  const headers = { authorization: `Token ${await createTokenFor(server.store, 'owner')}` };
  const ask = async (path: string, method = 'GET', json?: unknown) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const type = { 'content-type': 'application/json' };
    const answer = await request(`${server.url}${path}`, { method, headers: { ...headers, ...type }, ...body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: what the server answers
    return (await answer.json()) as any;
  };
  const take = (body: Uint8Array<ArrayBuffer>) => request(`${server.url}/uploads/`, { method: 'POST', headers, body });
  const hunt = async (id: string) => {
    const begun = await ask(`/rulesets/${id}/retrohunt/`, 'POST', {});
    for (;;) {
      const now = retrohuntSchema.parse(await ask(`/retrohunts/${begun.id}/`));
      if (now.finished_at !== null) {
        const seconds = (Date.parse(now.finished_at) - Date.parse(now.started_at!)) / 1000;
        return { seconds, read: now.scanned_count - now.passed_count, matches: now.matches_count };
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { server, ask, take, hunt };
}

/** Prints what the index costs, and hunts with and without it. */
export async function huntFigures(print: (line?: string) => void, apks: HuntedApks): Promise<void> {
  const { count } = apks;
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-hunts-'));
  const { server, ask, take, hunt } = await workstation(dataDir);
  const { contentIndexing } = server.services;
  try {
    const off = { analyze_static_on_upload: false, analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };
    await ask('/settings/', 'PATCH', { ...off, content_index: false });
    let bytes = 0;
    for (const apk of builtApks(apks)) {
      bytes += apk.length;
      await take(new Uint8Array(apk));
    }
    const ids: string[] = [];
    for (const [name, text] of Object.entries(rules)) {
      ids.push((await ask('/rulesets/', 'POST', { name, rules: text, status: 'disabled' })).id);
    }
    // Workers start with the first.
    await hunt(ids[0]!);
    const without = [];
    for (const id of ids) without.push(await hunt(id));
    const begun = performance.now();
    await ask('/settings/', 'PATCH', { content_index: true });
    await contentIndexing.settled();
    await server.idle();
    await contentIndexing.settled();
    const seconds = (performance.now() - begun) / 1000;
    const { size, count: indexed } = await contentIndexing.index.state();
    print(
      `\n### Retrohunts over ${count} APKs of ${(bytes / count / 1e6).toFixed(2)} MB each, made from files of real ones\n`,
    );
    print(
      `The index: ${indexed} APKs, ${((100 * size) / bytes).toFixed(1)} % of their bytes, made in ${seconds.toFixed(1)} s with one worker (${((1e9 * seconds) / bytes).toFixed(0)} ms per MB).\n`,
    );
    print('| rule | without the index, s | with it, s | times faster | APKs read | that match, without and with |');
    print('| --- | --- | --- | --- | --- | --- |');
    const pace = without.reduce((sum, one) => sum + one.seconds, 0) / without.length / count;
    for (const [index, name] of Object.keys(rules).entries()) {
      const [before, after] = [without[index]!, await hunt(ids[index]!)];
      const times = (before.seconds / after.seconds).toFixed(1);
      print(
        `| ${name} | ${before.seconds.toFixed(2)} | ${after.seconds.toFixed(2)} | ${times} | ${after.read} | ${before.matches}, ${after.matches} |`,
      );
    }
    const none = await hunt(ids[0]!);
    const passing = none.seconds / count;
    print(
      `\nTime = APKs × ${(1e6 * passing).toFixed(0)} µs + APKs read × ${(1000 * pace).toFixed(1)} ms, as measured here.\n`,
    );
    print('| APKs | none read, s | one of 250 read, s | all read, s |');
    print('| --- | --- | --- | --- |');
    for (const all of sizes) {
      const cells = [0, 1 / rareEach, 1].map((share) => (all * (passing + share * pace)).toFixed(0));
      print(`| ${all} | ${cells.join(' | ')} |`);
    }
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
