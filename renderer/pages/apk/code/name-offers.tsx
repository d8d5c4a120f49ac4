// What equal classes of other APKs are called, taken over by one click. Knows one class.
import { notifications } from '@mantine/notifications';
import { useAcceptOffers, useCodeNameOffers } from '../../../api/code-name-queries.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './code.module.css';
import { codeTexts } from './texts.ts';

const words = codeTexts.names;
const maxShown = 4;

export function NameOffers({ sha256, name, dex }: { sha256: string; name: string; dex: string }) {
  const { data } = useCodeNameOffers(sha256, { class: name, dex });
  const accept = useAcceptOffers(sha256);
  if (data === undefined || data.results.length === 0) return null;
  const shown = data.results
    .slice(0, maxShown)
    .map(({ text, analyst }) => words.offer(visibleString(text, 60), analyst));
  return (
    <p className={styles.notes} role="status" data-testid="name-offers">
      {words.offers(data.results.length)} {shown.join(', ')}
      {data.results.length > maxShown && ' …'}{' '}
      <button
        type="button"
        className={styles.link}
        disabled={accept.isPending}
        onClick={() =>
          accept.mutate(
            { class: name, dex },
            {
              onSuccess: ({ applied, refused }) =>
                notifications.show({ message: words.accepted(applied, refused.length) }),
            },
          )
        }
      >
        {words.accept}
      </button>
    </p>
  );
}
