// The findings of a report, the worst first, each with its evidence. Knows findings only.
import { Button } from '@mantine/core';
import { Fragment, useMemo, useState } from 'react';
import type { Finding, Severity } from '../../../../server/contract/findings/finding.ts';
import { findingText } from '../../../../server/contract/findings/finding-catalogue.ts';
import { useHeldDismissals } from '../../../api/dismissal-queries.ts';
import { DismissDialog } from '../../../components/dismissal/dismiss-dialog.tsx';
import { DismissedFold } from '../../../components/dismissal/dismissed-fold.tsx';
import { parted } from '../../../components/dismissal/parted.ts';
import { dismissalTexts } from '../../../components/dismissal/texts.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { PlaceLink } from '../../../components/place/place-link.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { type FindingGroup, groupFindings, severityOrder } from './finding-groups.ts';
import styles from './summary.module.css';
import { severitiesTexts, summaryTexts } from './texts.ts';

/** Places shown at once under an opened finding. */
const placesShown = 20;

const evidenceOf = ({ code, where }: Finding) => ({ finding: code, where });

function FindingLine({ sha256, group }: { sha256: string; group: FindingGroup }) {
  const [shown, setShown] = useState(placesShown);
  const [isDismissing, setDismissing] = useState(false);
  const first = group.findings[0]!;
  const { title, description, cwe, masvs, attack } = findingText(group.code);
  return (
    <details className={styles.finding} data-testid="finding" data-severity={group.severity}>
      <summary>
        <Icon name="chevron" size={12} />
        <Chip tone={group.severity}>{severitiesTexts[group.severity]}</Chip>
        <span className={styles.findingTitle}>{title}</span>
        <span className={styles.findingHint}>
          <HostileText value={first.evidence || first.where} max={160} isFixed mono />
        </span>
        {group.total > 1 && <span className={`${styles.times} tabular`}>×{formatCount(group.total)}</span>}
      </summary>
      <div className={styles.evidence}>
        {description !== '' && <p className={styles.description}>{description}</p>}
        <code className={styles.code}>{[group.code, ...cwe, ...masvs, ...attack].join(' · ')}</code>
        <dl>
          {group.findings.slice(0, shown).map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings never change places, and equal ones may repeat
            <Fragment key={index}>
              <dt>
                {finding.where === '' ? (
                  '–'
                ) : (
                  <PlaceLink sha256={sha256} place={finding.where} max={260} instruction={finding.evidence} />
                )}
              </dt>
              <dd>{finding.evidence === '' ? '–' : <HostileText value={finding.evidence} mono />}</dd>
            </Fragment>
          ))}
        </dl>
        {group.findings.length > shown && (
          <button type="button" className={styles.more} onClick={() => setShown(group.findings.length)}>
            {summaryTexts.moreEvidence(group.findings.length - shown)}
          </button>
        )}
        {group.total > group.findings.length && (
          <p className={styles.description}>{summaryTexts.unlisted(group.total - group.findings.length)}</p>
        )}
        <Button size="compact-sm" variant="default" onClick={() => setDismissing(true)}>
          {dismissalTexts.dismiss}
        </Button>
        {isDismissing && (
          <DismissDialog
            sha256={sha256}
            about={{ finding: group.code }}
            name={title}
            places={group.findings.map(({ where }) => where)}
            onClose={() => setDismissing(false)}
          />
        )}
      </div>
    </details>
  );
}

interface FindingsProps {
  sha256: string;
  findings: readonly Finding[];
  /** Prefixes of the packages of known libraries. */
  libraries: readonly string[];
}

export function Findings({ sha256, findings, libraries }: FindingsProps) {
  const [hidden, setHidden] = useState<readonly Severity[]>([]);
  const { data: held } = useHeldDismissals(sha256);
  const { groups, dismissed } = useMemo(() => {
    const { standing, dismissed: gone } = parted(findings, held?.results ?? [], evidenceOf);
    return { groups: groupFindings(standing, libraries), dismissed: [...gone] };
  }, [findings, held, libraries]);
  const dismissedCount = groupFindings(
    dismissed.flatMap(([, some]) => some),
    libraries,
  ).length;
  const counts = severityOrder.map((severity) => ({
    severity,
    count: groups.filter((group) => group.severity === severity).length,
  }));
  const shown = groups.filter(({ severity }) => !hidden.includes(severity));
  const { own = [], library = [] } = Object.groupBy(shown, ({ isOfLibraries }) => (isOfLibraries ? 'library' : 'own'));
  const line = (group: FindingGroup) => (
    <FindingLine key={`${group.severity} ${group.code}`} sha256={sha256} group={group} />
  );
  return (
    <section className={styles.card} aria-labelledby="findings-title">
      <div className={styles.cardHead}>
        <h2 id="findings-title">{summaryTexts.findings}</h2>
        {dismissedCount > 0 && (
          <span className={styles.counts} data-testid="finding-counts">
            {dismissalTexts.withDismissed(dismissalTexts.findings(groups.length), dismissedCount)}
          </span>
        )}
        <div className={styles.severities}>
          {counts
            .filter(({ count }) => count > 0)
            .map(({ severity, count }) => (
              <button
                key={severity}
                type="button"
                aria-pressed={!hidden.includes(severity)}
                onClick={() =>
                  setHidden(
                    hidden.includes(severity) ? hidden.filter((one) => one !== severity) : [...hidden, severity],
                  )
                }
              >
                <Chip tone={severity}>
                  {severitiesTexts[severity]} {formatCount(count)}
                </Chip>
              </button>
            ))}
        </div>
      </div>
      {groups.length === 0 ? <p className={styles.nothing}>{summaryTexts.noFindings}</p> : own.map(line)}
      {library.length > 0 && (
        <details className={styles.libraries} data-testid="library-findings">
          <summary>
            <Icon name="chevron" size={12} />
            {summaryTexts.inLibraries(library.length)}
          </summary>
          {library.map(line)}
        </details>
      )}
      <DismissedFold
        count={dismissedCount}
        lines={dismissed.map(([dismissal, some]) => ({
          dismissal,
          name: findingText(some[0]!.code).title,
          times: some.length,
        }))}
      />
    </section>
  );
}
