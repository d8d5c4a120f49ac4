// A note beside a list that the report cuts. Knows the finding that says so.
import type { AndroguardReport } from '../../../server/contract/engine/reports.ts';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

/** @param list as the finding `report-cut` names it, `indicators urls` */
export const CutNote = ({ report, list }: { report: AndroguardReport; list: string }) =>
  report.findings.some(({ code, where }) => code === 'report-cut' && where === list) && (
    <span className={styles.note}>{texts.filter.cut}</span>
  );
