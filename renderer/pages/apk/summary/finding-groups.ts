// Findings of one kind together, the worst first, the app's own code before its libraries. Knows findings only.
import type { Finding, Severity } from '../../../../server/contract/findings/finding.ts';

export const severityOrder: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

export interface FindingGroup {
  code: string;
  severity: Severity;
  /** Those that have a place, the app's own code first. */
  findings: Finding[];
  /** Places there are in all; the report lists the first ones. */
  total: number;
  /** All of it is in libraries. */
  isOfLibraries: boolean;
}

/** Said beside the list that it is about. */
const isOfList = ({ code }: Finding) => code === 'report-cut';

/** How many places more a finding tells of, which the report does not list. */
const untold = ({ where, evidence }: Finding): number =>
  where === '' ? Number(/^(\d{1,9}) more places?$/.exec(evidence)?.[1] ?? 0) : 0;

/** Whether a place is in the code of a library. @param prefixes of packages or classes, `com.facebook.ads` */
export function isInLibrary(where: string, prefixes: readonly string[]): boolean {
  const descriptor = /(?:^|:)L([^;]+);/.exec(where)?.[1];
  if (descriptor === undefined) return false;
  const name = descriptor.replaceAll('/', '.');
  return prefixes.some((prefix) => name.startsWith(prefix) && /^(?:$|[.$])/.test(name.slice(prefix.length)));
}

/**
 * One group for each code and severity, the worst first, in the order of discovery within a severity.
 * @param libraries prefixes of their packages
 */
export function groupFindings(findings: readonly Finding[], libraries: readonly string[]): FindingGroup[] {
  const kinds = Map.groupBy(
    findings.filter((finding) => !isOfList(finding)),
    ({ code, severity }) => `${severity} ${code}`,
  );
  const groups = [...kinds.values()].map((found): FindingGroup => {
    const { code, severity } = found[0]!;
    const told = found.filter((finding) => untold(finding) === 0);
    const { own = [], library = [] } = Object.groupBy(told, ({ where }) =>
      isInLibrary(where, libraries) ? 'library' : 'own',
    );
    const total = told.length + found.reduce((sum, finding) => sum + untold(finding), 0);
    return {
      code,
      severity,
      findings: [...own, ...library],
      total,
      isOfLibraries: told.length > 0 && own.length === 0,
    };
  });
  return groups.sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
}
