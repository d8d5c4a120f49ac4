// The bar of the triage queue above an APK: how many are left, and the keys that judge, skip and leave.
import { Button, Kbd } from '@mantine/core';
import { useEffect } from 'react';
import { useQueuePlace } from '../../api/catalogue-queries.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { useTriageQueue } from '../../state/triage-queue.ts';
import { texts } from '../../texts.ts';
import { HostileText } from '../text/hostile-text.tsx';
import { verdictTexts } from '../verdict/texts.ts';
import { verdictOrder } from '../verdict/verdict-form.tsx';
import styles from './queue.module.css';
import { queueTexts as words } from './texts.ts';
import { useQueue } from './use-queue.ts';

function Bar({ sha256, search }: { sha256: string; search: string }) {
  const { goOn, leave, isPending } = useQueue();
  const judged = useTriageQueue((state) => state.judged);
  const { data } = useQueuePlace(search, sha256);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a verdict on this APK is what it waits for
  useEffect(() => {
    if (judged === sha256) goOn(sha256);
  }, [judged, sha256]);
  useShortcut(texts.shortcuts.apk.group, ['n'], words.skip, () => goOn(sha256));
  return (
    <section className={styles.bar} aria-label={words.label} data-testid="queue">
      <strong className="tabular" role="status">
        {data === undefined ? words.label : words.left(data.left)}
      </strong>
      {search !== '' && <HostileText value={search} max={60} mono isFixed />}
      <span className={styles.keys}>
        {words.judge}
        {verdictOrder.map((verdict) => (
          <span key={verdict}>
            <Kbd size="xs">{verdictTexts.labels[verdict].charAt(0)}</Kbd> {verdictTexts.labels[verdict]}
          </span>
        ))}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        title={words.nextHint}
        loading={isPending}
        onClick={() => goOn(sha256)}
      >
        {words.next}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" title={words.leaveHint} onClick={leave}>
        {words.leave}
      </Button>
    </section>
  );
}

/** Renders nothing while no queue is open. */
export function QueueBar({ sha256 }: { sha256: string }) {
  const search = useTriageQueue((state) => state.search);
  return search === null ? null : <Bar sha256={sha256} search={search} />;
}
