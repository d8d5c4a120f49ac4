// What people and rules of other workstations said of an APK, as sealed collections told it.
import type { Saying } from '../../../../server/contract/workstation/collection.ts';
import { useTold } from '../../../api/apk-queries.ts';
import { Chip } from '../../../components/text/chip.tsx';
import { formatFull } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { verdictTexts } from '../../../components/verdict/texts.ts';
import shared from '../parts.module.css';
import styles from './community.module.css';
import { toldTexts as words } from './texts.ts';

/** More are not shown: rules may have matched by the hundred. */
const maxShown = 200;

function textOf(saying: Saying): string {
  switch (saying.kind) {
    case 'verdict':
      return [verdictTexts.labels[saying.verdict], saying.family, saying.note].filter(Boolean).join(' · ');
    case 'comment':
      return saying.text;
    case 'code':
      return `${saying.symbol}: ${saying.text}`;
    case 'dismissal':
      return `${saying.what}: ${saying.reason}`;
    case 'match':
      return `${saying.ruleset}: ${saying.rules.join(', ')}`;
  }
}

/** Nothing where nothing was told. */
export function ToldSayings({ sha256 }: { sha256: string }) {
  const told = useTold(sha256);
  const list = told.data?.results ?? [];
  if (list.length === 0) return null;
  return (
    <section className={shared.card} aria-labelledby="told-title">
      <h2 id="told-title">{words.title}</h2>
      <ul className={styles.list}>
        {list.slice(0, maxShown).map(({ saying, brought_by, brought_at }) => (
          <li key={JSON.stringify(saying)} data-testid="told">
            <span>
              <Chip tone="quiet">{words.kinds[saying.kind]}</Chip>{' '}
              <HostileText value={saying.analyst} max={60} isFixed />
            </span>
            <HostileText value={textOf(saying)} max={1000} isFixed />
            <span className={shared.note}>
              <time dateTime={saying.said_at}>{formatFull(saying.said_at)}</time>,{' '}
              {words.brought(brought_by, formatFull(brought_at))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
