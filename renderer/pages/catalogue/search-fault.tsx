// A search that was not understood, with the place where it goes wrong. Knows nothing of the syntax.
import type { ApiError } from '../../api/client.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './catalogue.module.css';

export function SearchFault({ search, fault }: { search: string; fault: ApiError }) {
  const at = fault.position === null ? null : Math.min(fault.position, search.length);
  return (
    <div role="alert" data-testid="search-fault">
      <StatePanel icon="search" title={texts.search.fault} isPage>
        <code className={styles.query}>
          {at === null ? (
            <HostileText value={search} />
          ) : (
            <>
              <HostileText value={search.slice(0, at)} />
              <mark className={styles.faultMark} data-testid="fault-position">
                <HostileText value={search.slice(at).match(/^\S+|^\s/)?.[0] ?? texts.search.end} />
              </mark>
              <HostileText value={search.slice(at).replace(/^\S+|^\s/, '')} />
            </>
          )}
        </code>
        <p>{fault.message}</p>
        <p className={styles.hint}>{texts.search.hint}</p>
      </StatePanel>
    </div>
  );
}
