// One job's state as a bar and words. Knows nothing of where it stands.
import type { Job } from '../../../server/contract/jobs/job.ts';
import { Chip, type Tone } from '../text/chip.tsx';
import { formatDuration, percent } from '../text/format.ts';
import styles from './job-progress.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { jobsTexts, statusTexts } from './texts.ts';

export const jobTones: Record<Job['status'], Tone> = {
  queued: 'quiet',
  running: 'info',
  done: 'good',
  partial: 'medium',
  failed: 'high',
};

/** Why a job failed or its report is incomplete; empty where neither is so. */
export const shortfallOf = ({ error, status }: Job) => error ?? (status === 'partial' ? statusTexts.partialText : '');

const kindLabel = (kind: string) => jobsTexts.kinds[kind] ?? kind;

export function JobProgress({ job }: { job: Job }) {
  if (job.status === 'running') {
    return (
      <div className={styles.running}>
        <div className={styles.words}>
          <span className={styles.stage}>
            {kindLabel(job.kind)}
            {job.stage !== '' && ` · ${job.stage}`}
          </span>
          <span className="tabular">{percent(job.progress)}</span>
        </div>
        <ProgressBar share={job.progress} label={kindLabel(job.kind)} />
      </div>
    );
  }
  const took =
    job.started_at !== null && job.finished_at !== null
      ? formatDuration(Date.parse(job.finished_at) - Date.parse(job.started_at))
      : '';
  return (
    <div className={styles.ended}>
      <Chip tone={jobTones[job.status]}>{jobsTexts.states[job.status]}</Chip>
      <span>{kindLabel(job.kind)}</span>
      <span className="tabular">{took}</span>
    </div>
  );
}
