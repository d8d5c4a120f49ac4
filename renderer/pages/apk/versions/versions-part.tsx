// The versions of a package along a line of time, each with what it added and took away. Knows records, not reports.
import { useState } from 'react';
import { Link } from 'react-router';
import type { LineageStep } from '../../../../server/contract/catalogue/lineage.ts';
import { lineagePageSize, useLineage } from '../../../api/apk-queries.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { compareAddress } from '../../../components/place/place-address.ts';
import { StatusChips } from '../../../components/status/status-chips.tsx';
import { PageSteps } from '../../../components/table/page-steps.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatFull, formatSize, formatWhen } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { versionsTexts as words } from './texts.ts';
import { VersionChanges } from './version-changes.tsx';
import styles from './versions.module.css';

const versionOf = ({ version, version_code }: { version: string; version_code: string }) =>
  visibleString(version || version_code, 40) || words.unversioned;

function Version({ step, current }: { step: LineageStep; current: string }) {
  const { apk, previous } = step;
  const isCurrent = apk.sha256 === current;
  const isForeign = !step.is_same_signer;
  return (
    <li
      className={styles.step}
      data-testid="version"
      data-current={isCurrent}
      data-signer={isForeign ? 'other' : 'same'}
      aria-current={isCurrent}
    >
      <div className={styles.head}>
        <h2>
          <Link to={`/apks/${apk.sha256}/versions`}>
            <HostileText value={apk.version || words.unversioned} max={60} isFixed />
          </Link>
        </h2>
        {apk.version_code !== '' && (
          <span className={styles.soft}>{words.code(visibleString(apk.version_code, 20))}</span>
        )}
        <time dateTime={apk.created_at} title={formatFull(apk.created_at)}>
          {formatWhen(apk.created_at)}
        </time>
        <span className={styles.soft}>{formatSize(apk.size)}</span>
        {isCurrent && <Chip tone="info">{words.current}</Chip>}
        {isForeign && (
          <Chip tone="high" title={words.otherSignerText}>
            {words.otherSigner}
          </Chip>
        )}
        <StatusChips apk={apk} />
        {previous === null ? (
          <span className={styles.soft}>{words.first}</span>
        ) : (
          <Link to={compareAddress(apk.sha256, previous.sha256)}>
            {(previous.is_same_signer ? words.compare : words.compareForeign)(versionOf(previous))}
          </Link>
        )}
      </div>
      {previous !== null && <VersionChanges step={step} previous={previous} />}
    </li>
  );
}

export function Component({ apk }: ApkPartProps) {
  const [page, setPage] = useState<number | null>(null);
  const newest = useLineage(apk.sha256, 1);
  // It begins where the APK itself stands.
  const shown = page ?? Math.ceil((newest.data?.position ?? 1) / lineagePageSize);
  const lineage = useLineage(apk.sha256, shown);
  if (!lineage.isSuccess) return <QueryState query={lineage} />;
  const { count, signers, results } = lineage.data;
  if (count === 1)
    return (
      <StatePanel icon="compare" title={apk.package_name === '' ? words.nameless : words.alone}>
        {apk.package_name !== '' && words.aloneText}
      </StatePanel>
    );
  return (
    <>
      <div className={shared.toolbar}>
        <b>{words.count(count)}</b>
        <span className={shared.note}>
          {signers === 1 && results[0]?.signer === null ? words.unsigned : words.signers(signers)}
        </span>
        <PageSteps page={shown} list={lineage.data} onPage={setPage} />
      </div>
      <div className={shared.scroll}>
        <div className={shared.padded}>
          <ol className={styles.line} aria-label={words.list}>
            {results.map((step) => (
              <Version key={step.apk.sha256} step={step} current={apk.sha256} />
            ))}
          </ol>
        </div>
      </div>
    </>
  );
}
