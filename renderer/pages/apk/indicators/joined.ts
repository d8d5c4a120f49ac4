// The addresses that stand in an app beside those that it spoke to when it ran. Knows reports, no screen.
import type { Indicators } from '../../../../server/contract/engine/reports.ts';

const address = /^(?:\d{1,3}\.){3}\d{1,3}$|:/;

/** Hosts and addresses that a run contacted. A run on a device has only addresses. @param run of any shape */
function spokenTo(run: Record<string, unknown> | null | undefined): Partial<Indicators> {
  if (run?.indicators !== undefined) return run.indicators as Partial<Indicators>;
  const opened = Array.isArray(run?.opennet) ? (run.opennet as { desthost?: unknown }[]) : [];
  const hosts = new Set(opened.map(({ desthost }) => desthost).filter((host) => typeof host === 'string'));
  const listed = (isWanted: (host: string) => boolean) =>
    [...hosts].filter(isWanted).map((value) => ({ value, where: ['dynamic:network'] }));
  return { domains: listed((host) => !address.test(host)), ips: listed((host) => address.test(host)) };
}

/** @param runs reports of runs, where there are any */
export function joinedIndicators(
  indicators: Indicators,
  runs: readonly (Record<string, unknown> | null | undefined)[],
): Indicators {
  const seen = runs.map(spokenTo);
  const lists = (['urls', 'domains', 'ips', 'emails'] as const).map((kind) => {
    const all = new Map(indicators[kind].map((each) => [each.value, each.where]));
    for (const { value, where } of seen.flatMap((one) => one[kind] ?? []))
      all.set(value, [...new Set([...where, ...(all.get(value) ?? [])])]);
    return [kind, [...all].map(([value, where]) => ({ value, where }))] as const;
  });
  return Object.fromEntries(lists) as Indicators;
}
