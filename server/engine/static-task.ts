// The static analysis of an APK, and the fingerprints of its files where they are wanted: what is unpacked serves both.
import type { PackedStatic } from '../contract/engine/analysis-results.ts';
import type { TaskOf } from '../contract/process-line/tasks.ts';
import type { ByteSource } from '../vault/byte-source.ts';
import { packPrints } from '../vault/packed-prints.ts';
import { visitCarried, visitWhole } from './app/scanned-files.ts';
import { FilePrintsCollector } from './content-index/file-prints.ts';
import { Findings } from './findings.ts';
import { openFile } from './open-file.ts';
import { packStatic } from './report-packing.ts';
import { analyzeStatic, type StaticOptions } from './static/static-report.ts';
import { reportPrints } from './yara/report-prints.ts';

/** @throws FormatError where the file is no APK */
export function packedStatic(
  { file, fileName, prints }: TaskOf<'static'>,
  progress: NonNullable<StaticOptions['progress']>,
): PackedStatic {
  const source = openFile(file);
  try {
    const options = { fileName, progress };
    return prints === true ? withPrints(source, options) : packStatic(analyzeStatic(source, options));
  } finally {
    source.close();
  }
}

function withPrints(source: ByteSource, options: StaticOptions): PackedStatic {
  const collector = new FilePrintsCollector();
  visitWhole(source, new Findings(), (file) => collector.add(file));
  const result = analyzeStatic(source, {
    ...options,
    visit: (index, bytes) => collector.add({ number: index + 1, bytes, isChild: false }),
  });
  const packed = packStatic(result);
  if (result.entriesRead === null) return packed;
  if (result.carriesCode) {
    const number = result.entriesRead + 1;
    visitCarried(source, number, { findings: new Findings(), left: [], visit: (file) => collector.add(file) });
  }
  return { ...packed, prints: packPrints(collector.finish(reportPrints(result.androguard))) };
}
