// The techniques of MITRE ATT&CK for Mobile that an APK's evidence shows, each with what shows it. Knows no store.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ReportEvidence } from '../contract/engine/evidence.ts';
import { findingText } from '../contract/findings/finding-catalogue.ts';
import type { RiskEvidence, ShownTechnique } from '../contract/findings/risk.ts';

const idSchema = z.string().regex(/^T\d{4}(?:\.\d{3})?$/);
const shownBySchema = z.record(z.string(), z.array(idSchema));

const tableSchema = z.strictObject({
  source: z.string(),
  /** In the order of the matrix. */
  tactics: z.array(z.string()),
  techniques: z.record(idSchema, z.strictObject({ name: z.string(), tactics: z.array(z.string()).min(1) })),
  /** By the permission in use, without `android.permission.`. */
  permissions: shownBySchema,
  functionalities: shownBySchema,
});

let table: z.infer<typeof tableSchema> | undefined;

/** `resources/attack-techniques.json`, read when it is first asked for. */
export function techniqueTable() {
  table ??= tableSchema.parse(
    JSON.parse(readFileSync(new URL('../../resources/attack-techniques.json', import.meta.url), 'utf8')),
  );
  return table;
}

/** What a technique is called; empty where the table does not have it. */
export const techniqueName = (id: string): string => techniqueTable().techniques[id]?.name ?? '';

/** Shown of each technique. */
const maxEvidence = 20;

/** The techniques that findings and uses of code show, in the order of their ids. */
export function shownTechniques({ findings, uses }: ReportEvidence): ShownTechnique[] {
  const { techniques, permissions, functionalities } = techniqueTable();
  const shown = new Map<string, RiskEvidence[]>();
  const add = (ids: readonly string[], evidence: RiskEvidence) => {
    for (const id of ids) shown.set(id, [...(shown.get(id) ?? []), evidence].slice(0, maxEvidence));
  };
  for (const { code, where, evidence } of findings) {
    add(findingText(code).attack, { kind: 'finding', name: code, where, text: evidence });
  }
  for (const { kind, name, where, code } of uses) {
    const ids = kind === 'permission' ? permissions[name.replace('android.permission.', '')] : functionalities[name];
    add(ids ?? [], { kind, name, where, text: code });
  }
  return [...shown]
    .flatMap(([id, evidence]) => (techniques[id] === undefined ? [] : [{ id, ...techniques[id], evidence }]))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
