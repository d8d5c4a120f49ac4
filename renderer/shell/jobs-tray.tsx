// The drawer of what is running and waiting. Knows jobs as records only.
import { ActionIcon, Button } from '@mantine/core';
import { Link } from 'react-router';
import { useJobs } from '../api/queries.ts';
import { HostileText } from '../components/hostile-text.tsx';
import { Icon } from '../components/icon.tsx';
import { JobProgress } from '../components/job-progress.tsx';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import styles from './jobs-tray.module.css';
import shellStyles from './shell.module.css';

/** The tray is a glance; the jobs page has them all. */
const maxShown = 12;

export function JobsTray() {
  const { isJobsTrayOpen, setJobsTrayOpen } = useInterface();
  const jobs = useJobs({ status: 'active' });
  if (!isJobsTrayOpen) return null;
  const results = jobs.data?.results ?? [];
  const running = results.filter(({ status }) => status === 'running');
  const queued = results.filter(({ status }) => status === 'queued').reverse();
  const shown = [...running, ...queued].slice(0, maxShown);
  const rest = (jobs.data?.count ?? 0) - shown.length;
  return (
    <section className={`${shellStyles.panel} ${styles.tray}`} aria-label={texts.jobs.tray}>
      <div className={shellStyles.panelHead}>
        <h2>{texts.jobs.tray}</h2>
        <div className={shellStyles.spacer} />
        <Button component={Link} to="/jobs" variant="subtle" size="compact-sm">
          {texts.jobs.all}
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.shell.close} onClick={() => setJobsTrayOpen(false)}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <ul className={styles.list}>
        {shown.length === 0 && <li className={styles.none}>{texts.jobs.none}</li>}
        {shown.map((job) => (
          <li key={job.id} className={styles.job}>
            <span className={styles.name}>
              {job.apk === null ? (
                job.kind
              ) : (
                <Link to={`/apks/${job.apk.sha256}`}>
                  <HostileText value={job.apk.app || job.apk.package_name || job.apk.sha256} max={80} isFixed />
                </Link>
              )}
            </span>
            <JobProgress job={job} />
          </li>
        ))}
        {rest > 0 && <li className={styles.none}>{texts.jobs.more(rest)}</li>}
      </ul>
    </section>
  );
}
