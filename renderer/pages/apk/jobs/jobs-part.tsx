// Every job of an APK, newest first. Knows jobs, not reports.
import { useJobs } from '../../../api/queries.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { JobProgress, jobTones, shortfallOf } from '../../../components/status/job-progress.tsx';
import { jobsTexts } from '../../../components/status/texts.ts';
import { TableHead } from '../../../components/table/table.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatDuration, formatFull } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import styles from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { historyTexts } from './texts.ts';

export function Component({ apk }: ApkPartProps) {
  const jobs = useJobs({ apk: apk.sha256 });
  if (!jobs.isSuccess) return <QueryState query={jobs} />;
  if (jobs.data.results.length === 0) return <StatePanel icon="jobs" title={historyTexts.none} />;
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="job-history">
        <TableHead columns={historyTexts.columns} />
        <tbody>
          {jobs.data.results.map((job) => (
            <tr key={job.id}>
              <th scope="row" className="unbroken">
                {jobsTexts.kinds[job.kind] ?? job.kind}
              </th>
              <td>
                {job.status === 'running' ? (
                  <JobProgress job={job} />
                ) : (
                  <Chip tone={jobTones[job.status]}>{jobsTexts.states[job.status]}</Chip>
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
              <td>{job.machine === null ? '–' : <HostileText value={job.machine} max={60} isFixed />}</td>
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
