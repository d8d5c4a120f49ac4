// How far something is, as a bar. Knows nothing of what runs.
import styles from './progress-bar.module.css';

/** @param share from 0 to 1 */
export const ProgressBar = ({ share, label }: { share: number; label: string }) => (
  <div
    className={styles.bar}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(share * 100)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <span className="drawn-bar" style={{ width: `${Math.max(2, share * 100)}%` }} />
  </div>
);
