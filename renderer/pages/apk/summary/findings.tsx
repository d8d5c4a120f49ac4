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
import styles from './summary.module.css';
import { severitiesTexts, summaryTexts } from './texts.ts';

const severityOrder: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
/** Places shown at once under an opened finding. */
const placesShown = 20;

interface FindingGroup {
  code: string;
  severity: Severity;
  findings: Finding[];
}

const evidenceOf = ({ code, where }: Finding) => ({ finding: code, where });

/** One line per code, the worst first, in the order of discovery within a severity. */
function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.code}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { code: finding.code, severity: finding.severity, findings: [finding] });
    } else group.findings.push(finding);
  }
  return [...groups.values()].sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
}

function FindingLine({ sha256, group }: { sha256: string; group: FindingGroup }) {
  const [shown, setShown] = useState(placesShown);
  const [isDismissing, setDismissing] = useState(false);
  const first = group.findings[0]!;
  const { title, description, cwe, masvs } = findingText(group.code);
  return (
    <details className={styles.finding} data-testid="finding" data-severity={group.severity}>
      <summary>
        <Icon name="chevron" size={12} />
        <Chip tone={group.severity}>{severitiesTexts[group.severity]}</Chip>
        <span className={styles.findingTitle}>{title}</span>
        <span className={styles.findingHint}>
          <HostileText value={first.evidence || first.where} max={160} isFixed mono />
        </span>
        {group.findings.length > 1 && (
          <span className={`${styles.times} tabular`}>×{formatCount(group.findings.length)}</span>
        )}
      </summary>
      <div className={styles.evidence}>
        {description !== '' && <p className={styles.description}>{description}</p>}
        <code className={styles.code}>{[group.code, ...cwe, ...masvs].join(' · ')}</code>
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

export function Findings({ sha256, findings }: { sha256: string; findings: readonly Finding[] }) {
  const [hidden, setHidden] = useState<readonly Severity[]>([]);
  const { data: held } = useHeldDismissals(sha256);
  const { groups, dismissed } = useMemo(() => {
    const { standing, dismissed: gone } = parted(findings, held?.results ?? [], evidenceOf);
    return { groups: groupFindings(standing), dismissed: [...gone] };
  }, [findings, held]);
  const dismissedCount = groupFindings(dismissed.flatMap(([, some]) => some)).length;
  const counts = severityOrder.map((severity) => ({
    severity,
    count: groups.filter((group) => group.severity === severity).length,
  }));
  const shown = groups.filter(({ severity }) => !hidden.includes(severity));
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
      {groups.length === 0 ? (
        <p className={styles.nothing}>{summaryTexts.noFindings}</p>
      ) : (
        shown.map((group) => <FindingLine key={`${group.severity} ${group.code}`} sha256={sha256} group={group} />)
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
