// What equal classes of other APKs are called, for all classes of one APK: taken over one by one, or all at once. Knows no code.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useAcceptOffers, useCodeNameOffers } from '../../../api/code-name-queries.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './code.module.css';
import { codeTexts } from './texts.ts';

const words = codeTexts.names;
const rowHeight = 44;
/** Rows that are seen without scrolling. */
const mostSeen = 6;

interface AppOffersProps {
  sha256: string;
  onOffer: (symbol: string) => void;
}

export function AppOffers({ sha256, onOffer }: AppOffersProps) {
  const { data } = useCodeNameOffers(sha256);
  const accept = useAcceptOffers(sha256);
  if (data === undefined || data.results.length === 0) return null;
  const take = (symbols?: string[]) =>
    accept.mutate(symbols === undefined ? {} : { symbols }, {
      onSuccess: ({ applied, refused }) => notifications.show({ message: words.accepted(applied, refused.length) }),
    });
  return (
    <details className={styles.appOffers} data-testid="app-offers">
      <summary>{words.offersForAll(data.count)}</summary>
      <Button size="compact-xs" variant="default" loading={accept.isPending} onClick={() => take()}>
        {words.acceptAll}
      </Button>
      <div className={styles.offersList} style={{ height: Math.min(data.results.length, mostSeen) * rowHeight }}>
        <ListRows rows={data.results} rowHeight={rowHeight} label={words.offersForAll(data.count)}>
          {({ symbol, text, analyst }) => (
            <div className={styles.nameRow}>
              <button type="button" className={styles.hit} onClick={() => onOffer(symbol)}>
                <span className={styles.hitText}>
                  <HostileText value={text} max={200} mono isFixed />
                </span>
                <span className={styles.hitNote}>
                  <span className={styles.oneLine}>
                    <HostileText value={symbol} max={160} isFixed />
                  </span>
                  <span>{visibleString(analyst, 40)}</span>
                </span>
              </button>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={words.acceptOne(visibleString(text, 60))}
                disabled={accept.isPending}
                onClick={() => take([symbol])}
              >
                {words.accept}
              </Button>
            </div>
          )}
        </ListRows>
      </div>
    </details>
  );
}
