// Says that APKs were analysed by an older version, and what is missing of them, and has them analysed again. Knows no list.
import { Button } from '@mantine/core';
import { useOutdated, useRenewOutdated } from '../../api/catalogue-queries.ts';
import { useMay } from '../../api/queries.ts';
import styles from './outdated-analyses.module.css';
import { outdatedTexts as words } from './texts.ts';

/** Searches that older versions kept nothing for. */
const newerFields = /(?:^|[\s(-])(?:class|api|finding|technique|domain|ip)s?\s*:/i;

/** @param search where it matters to this search alone */
export function OutdatedAnalyses({ search }: { search?: string }) {
  const may = useMay();
  const isAsked = search === undefined || newerFields.test(search);
  const { data } = useOutdated(isAsked);
  const renewal = useRenewOutdated();
  if (renewal.isSuccess) return <p className={styles.line}>{words.queued(renewal.data.queued)}</p>;
  if (!isAsked || data === undefined || data.outdated === 0) return null;
  return (
    <p className={styles.line} data-testid="outdated">
      {words.outdated(data.outdated)}
      {may('analyses.renew') ? (
        <Button size="compact-xs" variant="default" loading={renewal.isPending} onClick={() => renewal.mutate()}>
          {words.renew}
        </Button>
      ) : (
        words.ownerRenews
      )}
    </p>
  );
}
