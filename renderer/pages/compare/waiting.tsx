// In place of what is not compared yet: how far it is, why it failed, or which report it waits for. Knows no difference.
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { MissingReport } from '../../components/status/missing-report.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import styles from './compare.module.css';
import { compareTexts as words } from './texts.ts';
import type { Known, SideName } from './use-comparison.ts';

interface WaitingProps {
  known: Exclude<Known<unknown>, { state: 'ready' }>;
  pair: Record<SideName, ApkDetail>;
}

export function Waiting({ known, pair }: WaitingProps) {
  if (known.state === 'failed') return <ErrorPanel error={known.error} onRetry={known.retry} />;
  if (known.state === 'loading') {
    const { progress } = known;
    if (progress === undefined) return <LoadingPanel />;
    const label = words.comparing(progress.stage);
    return (
      <StatePanel icon="compare" title={label}>
        <div className={styles.progress}>
          <ProgressBar share={progress.done} label={label} />
        </div>
      </StatePanel>
    );
  }
  return (
    <>
      <p className={`${styles.soft} ${styles.unreported}`}>{words.noReportText}</p>
      {known.sides.map((side) => (
        <section key={side} className={styles.unreported} aria-label={words.noReport(words.sides[side])}>
          <p className={styles.soft}>{words.noReport(words.sides[side])}</p>
          <MissingReport sha256={pair[side].sha256} kind="static" />
        </section>
      ))}
    </>
  );
}
