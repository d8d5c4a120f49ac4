// A note beside a list that the report cuts. Knows the finding that says so.
import type { AndroguardReport } from '../../../server/contract/engine/reports.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

/** @param list as the finding `report-cut` names it, `indicators urls` */
export function CutNote({ report, list }: { report: Pick<AndroguardReport, 'findings'>; list: string }) {
  const cut = report.findings.find(({ code, where }) => code === 'report-cut' && where === list);
  if (cut === undefined) return null;
  return (
    <span className={styles.note} data-testid="cut">
      {texts.filter.cut} <HostileText value={cut.evidence} max={200} isFixed />
    </span>
  );
}
