// Every job that was made of an APK, newest first. Knows jobs, not reports.
import type { ApkDetail } from '../../../server/contract/apk.ts';
import { useJobs } from '../../api/queries.ts';
import { Chip } from '../../components/chip.tsx';
import { formatDuration, formatFull } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { JobProgress, jobTones, shortfallOf } from '../../components/job-progress.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { TableHead } from '../../components/table.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

export function JobsTab({ apk }: { apk: ApkDetail }) {
  const jobs = useJobs({ apk: apk.sha256 });
  if (jobs.isPending) return <LoadingPanel />;
  if (jobs.isError) return <ErrorPanel error={jobs.error} onRetry={() => void jobs.refetch()} />;
  if (jobs.data.results.length === 0) return <StatePanel icon="jobs" title={texts.history.none} />;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="job-history">
        <TableHead columns={texts.history.columns} />
        <tbody>
          {jobs.data.results.map((job) => (
            <tr key={job.id}>
              <th scope="row" className="unbroken">
                {texts.jobs.kinds[job.kind] ?? job.kind}
              </th>
              <td>
                {job.status === 'running' ? (
                  <JobProgress job={job} />
                ) : (
                  <Chip tone={jobTones[job.status]}>{texts.jobs.states[job.status]}</Chip>
                )}
              </td>
              <td className="unbroken">
                <time dateTime={job.created_at}>{formatFull(job.created_at)}</time>
              </td>
              <td className="tabular unbroken">
                {job.started_at !== null && job.finished_at !== null
                  ? formatDuration(Date.parse(job.finished_at) - Date.parse(job.started_at))
                  : '–'}
              </td>
              <td>
                <HostileText value={shortfallOf(job)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
