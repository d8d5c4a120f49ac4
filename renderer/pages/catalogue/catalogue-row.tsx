// One APK as a line of the catalogue. Knows nothing of the list around it.
import { memo } from 'react';
import { Link } from 'react-router';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { AppIcon } from '../../components/picture/app-icon.tsx';
import { apkName } from '../../components/place/named-link.tsx';
import styles from './catalogue.module.css';
import { type ColumnName, columns } from './columns.tsx';
import { bulkTexts } from './texts.ts';

interface CatalogueRowProps {
  apk: Apk | undefined;
  index: number;
  shown: readonly ColumnName[];
  /** Under the keyboard. */
  isCurrent: boolean;
  isChosen: boolean;
  onChoose: (index: number, isRange: boolean) => void;
}

export const CatalogueRow = memo(function CatalogueRow(props: CatalogueRowProps) {
  const { apk, index, shown, isCurrent, isChosen, onChoose } = props;
  if (apk === undefined) {
    return (
      <div className={`${styles.line} ${styles.row} ${styles.blank}`} aria-busy="true">
        <span />
        <span className={styles.grid}>
          <span className={styles.blankIcon} />
          <span className={styles.blankLine} />
        </span>
      </div>
    );
  }
  return (
    <div
      className={`${styles.line} ${styles.row}`}
      data-current={isCurrent || undefined}
      data-chosen={isChosen || undefined}
    >
      <input
        type="checkbox"
        className={styles.choice}
        checked={isChosen}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={bulkTexts.choose(apkName(apk))}
        onClick={(event) => onChoose(index, event.shiftKey)}
        readOnly
      />
      <Link
        to={`/apks/${apk.sha256}`}
        className={`${styles.grid} ${styles.link}`}
        data-testid="catalogue-row"
        data-index={index}
        tabIndex={isCurrent ? 0 : -1}
      >
        <AppIcon image={apk.image} size={26} />
        {shown.map((name) => (
          <Cell key={name} name={name} apk={apk} />
        ))}
      </Link>
    </div>
  );
});

const Cell = memo(function Cell({ name, apk }: { name: ColumnName; apk: Apk }) {
  return columns[name].cell(apk);
});
