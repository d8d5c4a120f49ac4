// One's own jobs, newest first. Knows jobs as records only.
import { memo, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Job } from '../../../server/contract/jobs/job.ts';
import { useJobHistory } from '../../api/queries.ts';
import { useHunts } from '../../api/ruleset-queries.ts';
import { Page } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { ApkLink, apkName } from '../../components/place/named-link.tsx';
import { CancelJob } from '../../components/status/cancel-job.tsx';
import { JobProgress, shortfallOf } from '../../components/status/job-progress.tsx';
import { jobsTexts } from '../../components/status/texts.ts';
import { ListRows } from '../../components/table/virtual-rows.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import styles from './jobs.module.css';

const isActive = ({ status }: Job) => status === 'queued' || status === 'running';

const choices = {
  all: () => true,
  active: isActive,
  failed: ({ status }: Job) => status === 'failed' || status === 'partial',
} as const;
type Choice = keyof typeof choices;

/** What a job without an APK works for: a retrohunt by its rulesets, many APKs, or one that is no longer there. */
function JobSubject({ job }: { job: Job }) {
  return job.kind === 'retrohunt' ? (
    <HuntSubject job={job.id} />
  ) : (
    <span className={styles.soft}>{jobsTexts.subjects[job.kind] ?? jobsTexts.gone}</span>
  );
}

function HuntSubject({ job }: { job: string }) {
  const hunts = useHunts();
  const hunt = hunts.data?.results.find((one) => one.job.id === job);
  if (hunt === undefined) return <span className={styles.soft}>{jobsTexts.subjects.retrohunt}</span>;
  const [first, ...others] = hunt.rulesets;
  if (first === undefined) return null;
  return (
    <>
      <Link to={`/rulesets/${first.id}/hunts`}>
        <HostileText value={first.name} max={100} isFixed />
      </Link>
      {others.length > 0 && <span className={styles.soft}>{texts.filter.rest(others.length)}</span>}
    </>
  );
}

const JobLine = memo(function JobLine({ job }: { job: Job }) {
  const shortfall = shortfallOf(job);
  return (
    <div className={styles.row} data-testid="job" data-status={job.status}>
      {job.kind === 'retrohunt' ? (
        <Icon name="rulesets" size={20} />
      ) : (
        <AppIcon image={job.apk?.image ?? null} size={24} />
      )}
      <span className={styles.name}>
        {job.apk === null ? (
          <JobSubject job={job} />
        ) : (
          <ApkLink apk={job.apk} title={visibleString(apkName(job.apk))} />
        )}
        {job.apk !== null && (
          <span className={styles.soft}>
            <HostileText value={job.apk.package_name} max={120} mono isFixed />
          </span>
        )}
      </span>
      <JobProgress job={job} />
      <span className={styles.error} title={shortfall || undefined}>
        {shortfall !== '' && <HostileText value={shortfall} max={300} isFixed />}
      </span>
      <time className={`${styles.time} tabular`} dateTime={job.created_at} title={formatFull(job.created_at)}>
        {formatWhen(job.created_at)}
      </time>
      <span>{isActive(job) && <CancelJob id={job.id} />}</span>
    </div>
  );
});

export function Component() {
  const history = useJobHistory();
  const [choice, setChoice] = useState<Choice>('all');
  const jobs = useMemo(() => (history.data?.items ?? []).filter(choices[choice]), [history.data, choice]);
  if (!history.isSuccess) return <QueryState query={history} isPage />;
  return (
    <Page
      title={jobsTexts.title}
      bar={
        <>
          <span className={`${styles.soft} tabular`}>{formatCount(history.data.count)}</span>
          <Segments label={jobsTexts.choice} value={choice} onChange={setChoice} labels={jobsTexts.choices} />
        </>
      }
    >
      {jobs.length === 0 && !history.hasNextPage ? (
        <StatePanel icon="jobs" title={jobsTexts.noneOf[choice]}>
          {jobsTexts.noneText}
        </StatePanel>
      ) : (
        <ListRows key={choice} rows={jobs} list={history} rowHeight={44} label={jobsTexts.title}>
          {(job) => <JobLine job={job} />}
        </ListRows>
      )}
    </Page>
  );
}
