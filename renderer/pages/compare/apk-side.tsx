// One of the APKs that are compared, told in a few lines. Knows its record only.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { StatusChips } from '../../components/status/status-chips.tsx';
import { formatSize, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { apkTexts } from '../apk/texts.ts';
import styles from './compare.module.css';

interface ApkSideProps {
  apk: Apk;
  /** Where its name leads. */
  address: string;
  mark?: ReactNode;
}

export function ApkSide({ apk, address, mark }: ApkSideProps) {
  const name = apk.app || apkTexts.unnamed;
  return (
    <div className={styles.side}>
      {mark}
      <AppIcon image={apk.image} size={36} />
      <div className={styles.sideText}>
        <div className={styles.sideName}>
          <Link to={address} title={visibleString(name)}>
            <HostileText value={name} max={120} isFixed />
          </Link>
          <StatusChips apk={apk} />
        </div>
        <div className={styles.sideFacts}>
          <HostileText value={apk.package_name} max={160} mono isFixed />
          {apk.version !== '' && <HostileText value={apk.version} max={40} isFixed />}
          <span className="tabular">{formatSize(apk.size)}</span>
          <span>{apkTexts.added(formatWhen(apk.created_at))}</span>
          <code title={apk.sha256}>{apk.sha256.slice(0, 12)}…</code>
        </div>
      </div>
    </div>
  );
}
