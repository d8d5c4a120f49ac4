// What keeps workers away from the rest of the machine, as it was measured, in its current shape.
import type { IsolationReport } from '../../contract/workstation/isolation.ts';
import type { MeasuredIsolation } from '../../services/analyses/isolation.ts';

export const presentIsolation = ({ status, kind, escapes }: MeasuredIsolation): IsolationReport => ({
  status,
  kind,
  escapes: escapes.map(({ name, isClosedBySystem, isClosedByRuntime }) => ({
    name,
    is_closed_by_system: isClosedBySystem,
    is_closed_by_runtime: isClosedByRuntime,
  })),
});
