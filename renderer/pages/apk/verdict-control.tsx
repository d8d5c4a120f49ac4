// The analysts' verdict on an APK: said by one key, or with family and note; everything that was said before.
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { useJudge, useVerdictHistory } from '../../api/verdict-queries.ts';
import { QueryState } from '../../components/page/state-panel.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { verdictTexts as words } from '../../components/verdict/texts.ts';
import styles from '../../components/verdict/verdict.module.css';
import { VerdictChip } from '../../components/verdict/verdict-chip.tsx';
import { VerdictForm } from '../../components/verdict/verdict-form.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';

const { group } = texts.shortcuts.apk;

/** One key each, while the page of an APK is open. */
function useVerdictKeys(say: (verdict: Verdict) => void): void {
  useShortcut(group, ['M'], words.shortcut(words.labels.malicious), () => say('malicious'));
  useShortcut(group, ['S'], words.shortcut(words.labels.suspicious), () => say('suspicious'));
  useShortcut(group, ['C'], words.shortcut(words.labels.clean), () => say('clean'));
  useShortcut(group, ['U'], words.shortcut(words.labels.unknown), () => say('unknown'));
}

function History({ sha256 }: { sha256: string }) {
  const history = useVerdictHistory(sha256);
  if (!history.isSuccess) return <QueryState query={history} />;
  if (history.data.count === 0) return <p className={styles.faint}>{words.none}</p>;
  return (
    <>
      <ul className={styles.history}>
        {history.data.items.map(({ verdict, family, note, analyst, created_at }) => (
          <li key={created_at} data-testid="said-verdict">
            <VerdictChip verdict={verdict} family={family} />
            <span className={styles.faint}>{words.saidBy(analyst)}</span>
            <time className={styles.faint} dateTime={created_at}>
              {formatFull(created_at)}
            </time>
            {note !== '' && (
              <p>
                <HostileText value={note} max={2000} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <MoreButton list={history} label={words.earlier} size="compact-sm" mt={4} />
    </>
  );
}

export function VerdictControl({ apk: { sha256, workstation } }: { apk: ApkDetail }) {
  const { verdict, family } = workstation;
  const judge = useJudge();
  const [isOpen, { open, close }] = useDisclosure(false);
  useVerdictKeys((word) => judge.mutate({ sha256, verdict: word }));
  useShortcut(group, ['v'], words.open, open);
  return (
    <>
      <Button
        variant="default"
        loading={judge.isPending}
        onClick={open}
        title={words.change}
        data-testid="verdict-control"
      >
        {`${words.title}: ${words.labels[verdict]}`}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.title} size="lg">
        <VerdictForm
          key={`${verdict} ${family}`}
          initial={{ verdict, family }}
          isPending={judge.isPending}
          onSay={(word) => judge.mutate({ sha256, ...word }, { onSuccess: close })}
        />
        <h2 className={styles.heading}>{words.history}</h2>
        <History sha256={sha256} />
      </Modal>
    </>
  );
}
