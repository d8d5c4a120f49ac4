// A worker's end of the process line for workers that are not the engine's: hands out requests, sends whatever it is given.
import { read, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { encodeFrame, FrameReader } from '../../../server/contract/process-line/frames.ts';
import { inputDescriptor, outputDescriptor } from '../../../server/contract/process-line/limits.ts';
import type { LineRequest, SentTask } from '../../../server/contract/process-line/tasks.ts';

const unlimited = { text: 2 ** 32 - 1, attached: 2 ** 32 - 1 };

/** Writes bytes as they are. */
export function sendBytes(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(outputDescriptor, bytes, written);
}

/** Sends a frame of anything, whether or not it is a message. */
export function sendMessage(message: unknown): void {
  for (const piece of encodeFrame(message, unlimited)) sendBytes(piece);
}

/** Hands out requests as they come until the line ends, and ends the process then. */
export async function serveRequests(answer: (request: LineRequest) => unknown): Promise<never> {
  const reader = new FrameReader();
  const chunk = Buffer.alloc(65_536);
  for (;;) {
    const { bytesRead } = await promisify(read)(inputDescriptor, chunk, 0, chunk.length, null);
    if (bytesRead === 0) process.exit(0);
    for (const { message } of reader.read(chunk.subarray(0, bytesRead), () => unlimited)) {
      void answer(message as LineRequest);
    }
  }
}

const packed = (value: unknown) => {
  const text = Buffer.from(JSON.stringify(value));
  return { size: text.length, compressed: zstdCompressSync(text) };
};

/** An honest result that says something in one of its texts. */
export function resultSaying(task: SentTask, said: unknown): object {
  const text = JSON.stringify(said) ?? '';
  const findings = [{ code: 'said', severity: 'info', where: '', evidence: text }];
  const names = { packageName: '', appName: '', versionName: '', versionCode: '', company: '' };
  const sdks = { minSdkVersion: null, targetSdkVersion: null };
  const identity = {
    ...names,
    ...sdks,
    permissions: [],
    signer: null,
    split: null,
    corruptions: [],
    icon: null,
    findings,
  };
  const index = { terms: [], names: null, minSdk: null, targetSdk: null };
  switch (task.kind) {
    case 'identify':
      return identity;
    case 'static': {
      const [androguard, cuckoo, manifest, files] = [packed({}), packed({}), packed({}), packed({})];
      const reports = { androguard, cuckoo, manifest, files };
      return {
        identity,
        reports,
        index,
        signerHistory: [],
        carriesCode: false,
        sketch: null,
        fingerprint: null,
        ownStrings: { isCut: false, keys: new Uint8Array(0), texts: packed([]) },
        findings,
        uses: [],
        timings: {},
      };
    }
    case 'dynamic':
      return { dynamic: packed({}), cuckoo: packed({}), artefacts: null, findings, timings: {} };
    case 'yara': {
      const nothing = { errors: [], files_scanned: 1, matches_count: 0, rules_matched: [], rules_measured: [] };
      const rulesets = task.rulesets.map(({ id }) => ({ id, status: 'done', ...nothing }));
      return { rulesets, findings, timings: {} };
    }
    case 'prints':
      return { prints: new Uint8Array(8) };
    case 'content_plan':
      return { plans: task.rulesets.map(({ id }) => ({ id, steps: [{ kind: 'any' }], slow: [] })) };
    case 'find_content':
      return { found: task.terms.map(() => ({ count: 0, places: [] })) };
    case 'content_needs':
      return { needs: task.terms.map(() => [{ kind: 'any' }]) };
    case 'decompile': {
      const counts = { methods: 0, lost: 0, unresolved: 0, dispatched: 0 };
      return { files: [{ path: 'A.java', source: text }], next: null, total: 1, counts, manifest: null };
    }
    case 'children':
      return { results: [], count: 0, left_out: [{ path: text, reason: 'depth' }], left_out_count: 1 };
    case 'child':
      return { reports: { androguard: packed({}), files: packed({}) }, findings, uses: [] };
    case 'compile':
      return { rules: [], errors: [], warnings: [] };
    case 'compare':
      return packed({ said: text });
    case 'align':
      return {
        counts: { renamed: 0, changed: 0, removed: 0, added: 1 },
        is_cut: false,
        hunks: [{ first_start: 1, second_start: 1, rows: [{ state: 'added', first: null, second: text }] }],
      };
    case 'library':
      return { methods: Buffer.alloc(4), packages: [text], unread: 0 };
    case 'rule_archive':
      return { top: text.slice(0, 400), licence: null, files: [], left_out: 0, timings: {} };
    case 'features':
      return { report: [{ member: 'activity', value: text.slice(0, 300) || 'a' }], text: [], file: [], code: [] };
    case 'prepare':
      return { files: [], obsolete: [], broken: [], timings: {} };
    case 'join':
      return { cuckoo: null, index };
    case 'evidence':
      return { androguard: { findings, uses: [] }, dynamic: null, device: null };
    case 'explore':
      return { status: 'refused', fault: 'unreadable', reason: text, field: '' };
  }
}
