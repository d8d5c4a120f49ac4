// How APKs that meet a condition on reports are counted in the whole catalogue. Knows no YARA.
import type { ReportMember } from '../../../contract/engine/rule-features.ts';
import type { SearchExpression } from '../../../store/search/search-expression.ts';

/** The field that has the same values; a name is looked for within others, which counts too many rather than too few. */
export function catalogueCount(member: ReportMember, value: string): SearchExpression | null {
  switch (member) {
    case 'certificate.sha1':
      return { kind: 'certificate', hash: value.toLowerCase() };
    case 'package_name':
      return { kind: 'text', columns: ['package_name'], text: value };
    case 'app_name':
      return { kind: 'text', columns: ['app'], text: value };
    case 'dns_lookup':
      return { kind: 'term', field: 'network.domains', text: value, fit: 'whole' };
    default:
      return { kind: 'term', field: member, text: value, fit: 'whole' };
  }
}
