// Reads what of a stored APK a rule could look for, with its reports. Knows no rule.
import type { PackedReport } from '../contract/engine/analysis-results.ts';
import type { AndroguardReport, CuckooReport } from '../contract/engine/reports.ts';
import type { RuleFeatures } from '../contract/engine/rule-features.ts';
import type { TaskOf } from '../contract/process-line/tasks.ts';
import { unpackJson } from '../vault/packed-json.ts';
import { openFile } from './open-file.ts';
import { ruleFeatures } from './rule-features/rule-features.ts';
import { knownMethods } from './static/code-origins.ts';

const unpacked = <T>(report: PackedReport | null): T | null => (report === null ? null : unpackJson<T>(report));

/** @throws FormatError where the file is no APK */
export function storedFeatures({ file, reports }: TaskOf<'features'>): RuleFeatures {
  const source = openFile(file);
  try {
    const androguard = unpacked<AndroguardReport>(reports.androguard);
    return ruleFeatures(source, { androguard, cuckoo: unpacked<CuckooReport>(reports.cuckoo) }, knownMethods());
  } finally {
    source.close();
  }
}
