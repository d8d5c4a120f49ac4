// Answers what code an APK carries, its bytes, and what the static analysis says of an app among it.

import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import type { Child, ChildList } from '../../contract/engine/child.ts';
import { memorySource } from '../../vault/byte-source.ts';
import { packJson } from '../../vault/packed-json.ts';
import { analyzeStatic } from '../static/static-report.ts';
import { ExplorationFault } from './fault.ts';
import { type OpenedApp, readable } from './opened-app.ts';

interface Asked {
  /** Of the APK. */
  sha256: string;
  child: string;
}

export function childrenOf(app: OpenedApp, { sha256 }: { sha256: string }): ChildList {
  const { contents: _, ...list } = app.children(sha256);
  return list;
}

/** @throws ExplorationFault `not-found` */
export function childContentOf(app: OpenedApp, asked: Asked & { offset: number; length: number }) {
  const { child, bytes } = found(app, asked);
  const { offset, length } = asked;
  return { kind: child.kind, size: bytes.length, bytes: Uint8Array.from(bytes.subarray(offset, offset + length)) };
}

/** @throws ExplorationFault `not-found` where it is no app, `unreadable` where it cannot be analysed */
export function childReportOf(app: OpenedApp, asked: Asked): PackedReport {
  const { child, bytes } = found(app, asked);
  if (child.kind !== 'apk') throw new ExplorationFault('not-found', 'it is no app');
  return packJson(readable(() => analyzeStatic(memorySource(bytes), { fileName: child.ways[0]!.path })).androguard);
}

function found(app: OpenedApp, { sha256, child: wanted }: Asked): { child: Child; bytes: Uint8Array } {
  const { results, contents } = app.children(sha256);
  const child = results.find((one) => one.sha256 === wanted);
  const bytes = contents.get(wanted);
  if (child === undefined || bytes === undefined) throw new ExplorationFault('not-found', 'it carries no such file');
  return { child, bytes };
}
