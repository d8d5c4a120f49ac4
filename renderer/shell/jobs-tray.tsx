// The drawer of what is running and waiting. Knows jobs as records only.
import { ActionIcon, Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Job } from '../../server/contract/jobs/job.ts';
import { useJobs } from '../api/queries.ts';
import { Icon } from '../components/picture/icon.tsx';
import { ApkLink } from '../components/place/named-link.tsx';
import { CancelJob } from '../components/status/cancel-job.tsx';
import { JobProgress } from '../components/status/job-progress.tsx';
import { jobsTexts } from '../components/status/texts.ts';
import { formatDuration } from '../components/text/format.ts';
import { useInterface } from '../state/interface.ts';
import { rateOf, useThroughput } from '../state/throughput.ts';
import { texts } from '../texts.ts';
import styles from './jobs-tray.module.css';
import shellStyles from './shell.module.css';
import { shellTexts } from './texts.ts';

/** The tray is a glance; the jobs page has them all. */
const maxShown = 12;

function JobLine({ job }: { job: Job }) {
  const isActive = job.finished_at === null;
  return (
    <li className={styles.job} data-testid="tray-job">
      <span className={styles.name}>
        {job.apk === null ? (jobsTexts.kinds[job.kind] ?? job.kind) : <ApkLink apk={job.apk} />}
        {isActive && <CancelJob id={job.id} />}
      </span>
      <JobProgress job={job} />
    </li>
  );
}

export function JobsTray() {
  const { isJobsTrayOpen, setJobsTrayOpen } = useInterface();
  const jobs = useJobs({ status: 'active' });
  const { ended, times } = useThroughput();
  if (!isJobsTrayOpen) return null;
  const results = jobs.data?.results ?? [];
  const running = results.filter(({ status }) => status === 'running');
  const queued = results.filter(({ status }) => status === 'queued').reverse();
  const shown = [...running, ...queued].slice(0, maxShown);
  const rest = (jobs.data?.count ?? 0) - shown.length;
  const rate = rateOf(times, jobs.data?.count ?? 0);
  return (
    <section className={`${shellStyles.panel} ${styles.tray}`} aria-label={jobsTexts.tray}>
      <div className={shellStyles.panelHead}>
        <h2>{jobsTexts.tray}</h2>
        {rate !== null && (
          <span className={`${styles.rate} tabular`}>
            {jobsTexts.rate(rate.perMinute)}
            {rate.left > 0 && ` · ${jobsTexts.left(formatDuration(rate.left))}`}
          </span>
        )}
        <div className={shellStyles.spacer} />
        <Button component={Link} to="/jobs" variant="subtle" size="compact-sm">
          {jobsTexts.all}
        </Button>
        <ActionIcon aria-label={shellTexts.close} onClick={() => setJobsTrayOpen(false)}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <ul className={styles.list}>
        {shown.length === 0 && <li className={styles.none}>{jobsTexts.noneOf.active}</li>}
        {shown.map((job) => (
          <JobLine key={job.id} job={job} />
        ))}
        {rest > 0 && <li className={styles.none}>{texts.filter.rest(rest)}</li>}
      </ul>
      {ended.length > 0 && (
        <>
          <h3 className={styles.ended}>{jobsTexts.ended}</h3>
          <ul className={styles.list}>
            {ended.map((job) => (
              <JobLine key={job.id} job={job} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
