// A line at the top while the authority that clients trust is followed by another. Knows nothing of certificates.
import { useHealth } from '../api/queries.ts';
import { formatFull } from '../components/text/format.ts';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';

export function AuthorityBanner() {
  const health = useHealth();
  const ends = health.data?.authority?.former_expires_at;
  if (!ends) return null;
  return (
    <div className={styles.banner} role="status">
      {shellTexts.authorityFollowed(formatFull(ends))}
      <a href="/ca.crt">{shellTexts.downloadAuthority}</a>
    </div>
  );
}
