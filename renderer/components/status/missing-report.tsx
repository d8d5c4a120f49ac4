// What stands where an analysis has left no report: the button that starts it, how far it is, or why it failed.
// Knows jobs, not reports.
import { useJobs } from '../../api/queries.ts';
import { StatePanel } from '../page/state-panel.tsx';
import { JobProgress } from './job-progress.tsx';
import styles from './missing-report.module.css';
import { StartAnalysis } from './start-analysis.tsx';
import { missingReportTexts } from './texts.ts';

export function MissingReport({ sha256, kind }: { sha256: string; kind: 'static' | 'dynamic' }) {
  const jobs = useJobs({ apk: sha256 });
  const latest = jobs.data?.results.find((job) => job.kind === kind);
  if (latest?.status === 'failed') {
    return (
      <StatePanel
        icon="warning"
        title={missingReportTexts.failed}
        action={<StartAnalysis sha256={sha256} kind={kind} isAgain />}
      >
        {latest.error ?? ''}
      </StatePanel>
    );
  }
  if (latest?.status === 'running' || latest?.status === 'queued') {
    return (
      <StatePanel icon="flask" title={missingReportTexts[latest.status]}>
        <div className={styles.progress}>
          <JobProgress job={latest} />
        </div>
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon="flask"
      title={missingReportTexts[kind].title}
      action={<StartAnalysis sha256={sha256} kind={kind} isAgain={false} />}
    >
      {missingReportTexts[kind].text}
    </StatePanel>
  );
}
