// A search that was not understood, with the place where it goes wrong. Knows nothing of the syntax.
import type { ApiError } from '../../api/client.ts';
import { StatePanel } from '../../components/page/state-panel.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { searchTexts } from '../../shell/search/texts.ts';
import styles from './catalogue.module.css';

export function SearchFault({ search, fault }: { search: string; fault: ApiError }) {
  const at = fault.position === null ? null : Math.min(fault.position, search.length);
  return (
    <div role="alert" data-testid="search-fault">
      <StatePanel icon="search" title={searchTexts.fault} isPage>
        <code className={styles.query}>
          {at === null ? (
            <HostileText value={search} />
          ) : (
            <>
              <HostileText value={search.slice(0, at)} />
              <mark className={styles.faultMark} data-testid="fault-position">
                <HostileText value={search.slice(at).match(/^\S+|^\s/)?.[0] ?? searchTexts.end} />
              </mark>
              <HostileText value={search.slice(at).replace(/^\S+|^\s/, '')} />
            </>
          )}
        </code>
        <p>{fault.message}</p>
        <p className={styles.hint}>{searchTexts.hint}</p>
      </StatePanel>
    </div>
  );
}
