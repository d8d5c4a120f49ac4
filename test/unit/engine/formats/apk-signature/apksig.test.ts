// The verdicts are those of Android's own apksig library, over every vector that its packaged version can judge.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SchemeVerdict } from '../../../../../server/contract/engine/reports.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { verifySignatures } from '../../../../../server/engine/formats/apk-signature/verify.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { fileSource, memorySource } from '../../../../../server/vault/byte-source.ts';
import { signatureVectors } from '../../../../fixtures/signature-vectors.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const library = '/usr/share/java/apksigner.jar';
const program = join(import.meta.dirname, '../../../../fixtures/ApkVerdicts.java');
const tools = [systemTool('apksigner'), systemTool('javac')];
const missing =
  tools.find((tool) => tool.path === null)?.skip ?? (existsSync(library) ? false : `${library} is missing`);

/** What apksig prints of each line of path, min and max SDK. */
function judge(folder: string, lines: readonly string[]): string[] {
  const list = join(folder, 'list');
  writeFileSync(list, lines.join('\n'));
  const output = execFileSync('java', ['-cp', library, program, list], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answers = output.trimEnd().split('\n');
  assert.equal(answers.length, lines.length);
  return answers;
}

/** Java without Bouncy Castle knows RSA-PSS by another name than apksig asks for. */
const isPss = (title: string): boolean => /rsa-pss|salt/.test(title);

test('apksig gives the same verdict for every vector', { skip: missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-vectors-'));
  try {
    const vectors = signatureVectors().filter(({ notForTool, title }) => notForTool === undefined && !isPss(title));
    const built = vectors.map((vector) => vector.apk());
    const lines = vectors.map(({ minSdk, maxSdk }, index) => {
      const path = join(folder, `${index}.apk`);
      writeFileSync(path, built[index]!);
      return `${path}\t${minSdk}\t${maxSdk ?? '-'}`;
    });
    const answers = judge(folder, lines);
    vectors.forEach((vector, index) => {
      const [verdict, v1, v2, v3, issues = ''] = answers[index]!.split('\t');
      const report = verifySignatures(openZip(memorySource(built[index]!), new Findings()), vector.minSdk, {
        ...(vector.maxSdk === undefined ? {} : { maxSdkVersion: vector.maxSdk }),
        targetSdkVersion: vector.targetSdk ?? null,
      });
      assert.equal(report.verified, verdict === 'verified', `${vector.title}: apksig says ${answers[index]}`);
      const isVerified = (scheme: SchemeVerdict['scheme']) =>
        String(report.schemes.find((each) => each.scheme === scheme)?.verified === true);
      if (verdict === 'verified') {
        assert.deepEqual([isVerified('v1'), isVerified('v2'), isVerified('v3')], [v1, v2, v3], vector.title);
      }
      const codes = [...report.errors, ...report.schemes.flatMap((scheme) => scheme.errors)].map(({ code }) => code);
      for (const issue of verdict === 'throws' ? [] : issues.split(',').filter((each) => each !== '')) {
        const code = issue.toLowerCase().replaceAll('_', '-');
        assert.ok(codes.includes(code), `${vector.title}: ${code} is not among ${codes.join(', ')}`);
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Android's own test vectors, which Debian packages with androguard. */
const published = '/usr/share/doc/androguard/examples/signing/apksig';
const missingVectors = missing === false && !existsSync(published) ? `${published} is missing` : missing;

test("apksig gives the same verdict for Android's own test vectors", { skip: missingVectors }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-vectors-'));
  try {
    const names = readdirSync(published).filter((name) => name.endsWith('.apk'));
    const rows = names.flatMap((name) => [18, 24, 28].map((minSdk) => ({ name, minSdk })));
    const answers = judge(
      folder,
      rows.map(({ name, minSdk }) => `${join(published, name)}\t${minSdk}\t-`),
    );
    assert.ok(names.length > 200);
    rows.forEach(({ name, minSdk }, index) => {
      const source = fileSource(join(published, name));
      const sandbox = /targetSandboxVersion-(\d)/.exec(name)?.[1];
      const { verified } = verifySignatures(openZip(source, new Findings()), minSdk, {
        targetSandboxVersion: sandbox === undefined ? null : Number(sandbox),
      });
      source.close();
      const isGoodPss = isPss(name) && !name.includes('does-not-verify') && minSdk >= 24;
      const expected = isPss(name) ? isGoodPss : answers[index]!.startsWith('verified');
      assert.equal(verified, expected, `${name} from ${minSdk} on: apksig says ${answers[index]}`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
