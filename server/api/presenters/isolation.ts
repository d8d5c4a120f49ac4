// What keeps workers away from the rest of the machine, as it was measured, in its current shape.
import type { IsolationReport, ScanMemory } from '../../contract/workstation/isolation.ts';
import type { MeasuredIsolation } from '../../services/analyses/isolation.ts';
import type { RuleMemory } from '../../services/rules/rule-memory.ts';

export const presentIsolation = ({ status, kind, escapes }: MeasuredIsolation): IsolationReport => ({
  status,
  kind,
  escapes: escapes.map(({ name, isClosedBySystem, isClosedByRuntime }) => ({
    name,
    is_closed_by_system: isClosedBySystem,
    is_closed_by_runtime: isClosedByRuntime,
  })),
});

export const presentScanMemory = (memory: RuleMemory): ScanMemory => ({
  machine: memory.machine,
  worker: memory.worker,
  rulesets_count: memory.rulesets,
  characters: memory.length,
  held: memory.holds,
  compiling: memory.compiling,
  is_enough: memory.isEnough,
  scans_at_once: memory.scansAtOnce,
});
