// One APK as a line of the catalogue. Knows nothing of the list around it.
import { memo } from 'react';
import { Link } from 'react-router';
import type { Apk } from '../../../server/contract/apk.ts';
import { AppIcon } from '../../components/app-icon.tsx';
import { Chip } from '../../components/chip.tsx';
import { formatFull, formatSize, formatWhen } from '../../components/format.ts';
import { HostileText, visibleString } from '../../components/hostile-text.tsx';
import { texts } from '../../texts.ts';
import styles from './catalogue.module.css';

/** A row has space for so many; the APK's own page shows all. */
const maxTags = 3;

function Verdicts({ apk }: { apk: Apk }) {
  const { verdicts } = texts;
  return (
    <>
      {apk.is_detected && (
        <Chip tone="critical" icon="bug">
          {verdicts.detected}
        </Chip>
      )}
      {apk.is_corrupted && (
        <Chip tone="medium" icon="warning">
          {verdicts.corrupted}
        </Chip>
      )}
      {apk.is_trusted && (
        <Chip tone="good" icon="shieldCheck">
          {verdicts.trusted}
        </Chip>
      )}
      {apk.file_state !== 'ok' && <Chip tone="high">{verdicts.file[apk.file_state]}</Chip>}
      {!apk.is_static_analyzed && <Chip tone="quiet">{verdicts.notAnalyzed}</Chip>}
    </>
  );
}

interface CatalogueRowProps {
  apk: Apk | undefined;
  index: number;
  isChosen: boolean;
}

export const CatalogueRow = memo(function CatalogueRow({ apk, index, isChosen }: CatalogueRowProps) {
  if (apk === undefined) {
    return (
      <div className={`${styles.grid} ${styles.row} ${styles.blank}`} aria-busy="true">
        <span className={styles.blankIcon} />
        <span className={styles.blankLine} />
      </div>
    );
  }
  return (
    <Link
      to={`/apks/${apk.sha256}`}
      className={`${styles.grid} ${styles.row}`}
      data-chosen={isChosen || undefined}
      data-testid="catalogue-row"
      data-index={index}
      tabIndex={isChosen ? 0 : -1}
    >
      <AppIcon image={apk.image} size={26} />
      <span className={styles.names}>
        <span className={styles.app} title={visibleString(apk.app)}>
          <HostileText value={apk.app === '' ? texts.apk.unnamed : apk.app} max={120} isFixed />
        </span>
        <span className={styles.package} title={visibleString(apk.package_name)}>
          <HostileText value={apk.package_name} max={160} isFixed mono />
        </span>
      </span>
      <span className={styles.verdicts}>
        <Verdicts apk={apk} />
        {apk.tags.slice(0, maxTags).map((tag) => (
          <Chip key={tag} tone="info">
            <HostileText value={`#${tag}`} max={24} isFixed />
          </Chip>
        ))}
        {apk.tags.length > maxTags && <Chip tone="quiet">+{apk.tags.length - maxTags}</Chip>}
      </span>
      <span className={styles.cell} title={visibleString(apk.version)}>
        <HostileText value={apk.version} max={40} isFixed />
      </span>
      <span className={styles.cell} title={visibleString(apk.company)}>
        <HostileText value={apk.company} max={60} isFixed />
      </span>
      <span className={`${styles.cell} ${styles.hash}`}>{apk.sha256.slice(0, 12)}</span>
      <span className={`${styles.number} tabular`}>{formatSize(apk.size)}</span>
      <span className={`${styles.number} tabular`}>{apk.rating === 0 ? '' : apk.rating}</span>
      <time className={`${styles.number} tabular`} dateTime={apk.created_at} title={formatFull(apk.created_at)}>
        {formatWhen(apk.created_at)}
      </time>
    </Link>
  );
});
