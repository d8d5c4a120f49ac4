// The APKs that are like one as a list, the most similar first, each with why. Knows no picture.
import { type RefObject, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { SimilarApks } from '../../../server/contract/catalogue/similar-apk.ts';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { AppIcon } from '../picture/app-icon.tsx';
import { apkName } from '../place/named-link.tsx';
import { compareAddress } from '../place/place-address.ts';
import { RiskChip } from '../status/risk-chip.tsx';
import { StatusChips } from '../status/status-chips.tsx';
import { ListRows } from '../table/virtual-rows.tsx';
import { Chip } from '../text/chip.tsx';
import { formatFull, formatWhen, percent } from '../text/format.ts';
import { HostileText, visibleString } from '../text/hostile-text.tsx';
import styles from './similar.module.css';
import { similarTexts as words } from './texts.ts';

type Similar = SimilarApks['results'][number];

function Line({ similar: { apk, score, kinds, reason }, address }: { similar: Similar; address: string | null }) {
  const name = visibleString(apkName(apk), 60);
  return (
    <div className={styles.line} data-sha256={apk.sha256} data-testid="similar">
      <span className={styles.score}>
        <b className="tabular">{percent(score)}</b>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: percent(score) }} />
        </span>
      </span>
      <AppIcon image={apk.image} size={28} />
      <span className={styles.names}>
        <Link to={`/apks/${apk.sha256}`}>
          <HostileText value={apkName(apk)} max={80} isFixed />
        </Link>
        <span className={styles.package}>
          <HostileText value={apk.package_name} max={120} mono isFixed />
          {apk.version !== '' && (
            <>
              {' · '}
              <HostileText value={apk.version} max={30} isFixed />
            </>
          )}
        </span>
      </span>
      <span className={styles.why}>
        <span className={styles.chips}>
          {kinds.map((kind) => (
            <Chip key={kind} tone="info">
              {words.kinds[kind]}
            </Chip>
          ))}
        </span>
        <span className={styles.reason} title={reason}>
          {reason}
        </span>
      </span>
      <span className={styles.chips}>
        <RiskChip risk={apk.workstation.risk} label={words.risk} />
        <StatusChips apk={apk} />
      </span>
      <span className={styles.signer} title={visibleString(apk.company)}>
        <HostileText value={apk.company} max={60} isFixed />
        <time className={styles.soft} dateTime={apk.created_at} title={formatFull(apk.created_at)}>
          {words.firstSeen(formatWhen(apk.created_at))}
        </time>
      </span>
      {address !== null && (
        <Link to={address} aria-label={words.compareWith(name)}>
          {words.compareShort}
        </Link>
      )}
    </div>
  );
}

interface CompareKeyProps {
  sha256: string;
  results: readonly Similar[];
  list: RefObject<HTMLDivElement | null>;
}

function CompareKey({ sha256, results, list }: CompareKeyProps) {
  const navigate = useNavigate();
  // Of the line that has the focus, else of the most similar one.
  useShortcut(texts.shortcuts.apk.group, ['c'], words.compare, () => {
    const { activeElement } = document;
    const line = list.current?.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-sha256]') : null;
    const other = line?.dataset.sha256 ?? results[0]?.apk.sha256;
    if (other !== undefined) void navigate(compareAddress(sha256, other));
  });
  return null;
}

/** @param sha256 of the APK that each is compared with; null: the catalogue does not have it */
export function SimilarList({ sha256, results }: { sha256: string | null; results: readonly Similar[] }) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list} className={styles.list}>
      {sha256 !== null && <CompareKey sha256={sha256} results={results} list={list} />}
      <ListRows rows={results} rowHeight={66} label={words.list}>
        {(similar) => (
          <Line similar={similar} address={sha256 === null ? null : compareAddress(sha256, similar.apk.sha256)} />
        )}
      </ListRows>
    </div>
  );
}
