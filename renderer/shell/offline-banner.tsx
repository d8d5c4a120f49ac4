// Says that the server is out of reach. Knows nothing of how that was noticed.
import { Icon } from '../components/picture/icon.tsx';
import { useInterface } from '../state/interface.ts';
import { texts } from '../texts.ts';
import styles from './shell.module.css';

export function OfflineBanner() {
  const isOffline = useInterface(({ connection }) => connection === 'offline');
  return (
    <div role="status">
      {isOffline && (
        <div className={styles.banner}>
          <Icon name="offline" />
          {texts.state.offline}
        </div>
      )}
    </div>
  );
}
