// The line at the window's foot: connection, counts, uploads. Knows nothing of the pages.
import { useHealth, useJobs } from '../api/queries.ts';
import { jobsTexts } from '../components/status/texts.ts';
import { formatCount } from '../components/text/counted.ts';
import { percent } from '../components/text/format.ts';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';
import { uploadsTexts } from './uploads/texts.ts';
import { useUploads } from './uploads/upload-queue.ts';

const dots = { open: 'var(--tone-good)', connecting: 'var(--tone-medium)', offline: 'var(--tone-high)' } as const;

export function StatusLine() {
  const { connection, setHelpOpen, setJobsTrayOpen } = useInterface();
  const { summary, setOpen } = useUploads();
  const jobs = useJobs({ status: 'active' });
  const health = useHealth();
  const running = jobs.data?.results.filter(({ status }) => status === 'running').length ?? 0;
  const queued = Math.max(0, (jobs.data?.count ?? 0) - running);
  const isUploading = summary.active + summary.waiting > 0;
  return (
    <footer className={styles.status}>
      <span>
        <span className={styles.dot} style={{ background: dots[connection] }} />
        {shellTexts.connection[connection]}
      </span>
      <button type="button" className="tabular" onClick={() => setJobsTrayOpen(true)}>
        {jobsTexts.counts(running, queued)}
      </button>
      {summary.total > 0 && (
        <button type="button" className="tabular" onClick={() => setOpen(true)}>
          {isUploading
            ? uploadsTexts.running(
                formatCount(summary.waiting + summary.active),
                percent(summary.bytesSent / Math.max(1, summary.bytesTotal)),
              )
            : uploadsTexts.finished}
        </button>
      )}
      {health.data?.faults.map(({ part, advice }) => (
        <span key={part} role="status" title={advice}>
          <span className={styles.dot} style={{ background: dots.offline }} />
          {shellTexts.faults[part]}
        </span>
      ))}
      <span className={styles.spacer} />
      {health.data !== undefined && <span>{shellTexts.version(health.data.version)}</span>}
      <button type="button" onClick={() => setHelpOpen(true)}>
        {texts.shortcuts.hint}
      </button>
    </footer>
  );
}
