// One payload of an APK: its origins, its report, and the actions on it. Knows no other payload.
import { Button } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownChild } from '../../../../server/contract/catalogue/child.ts';
import { type ChildWay, childName } from '../../../../server/contract/engine/child.ts';
import type { AndroguardReport } from '../../../../server/contract/engine/reports.ts';
import type { Finding } from '../../../../server/contract/findings/finding.ts';
import { findingText } from '../../../../server/contract/findings/finding-catalogue.ts';
import { childFileOf, useChildReport, usePromotion } from '../../../api/child-queries.ts';
import { SaveButton } from '../../../components/file/save-button.tsx';
import { fileNameOf } from '../../../components/file/save-file.ts';
import { QueryState } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { fileAddress } from '../../../components/place/place-address.ts';
import { PlaceLink } from '../../../components/place/place-link.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { CodeLink } from '../code-link.tsx';
import shared from '../parts.module.css';
import { groupFindings } from '../summary/finding-groups.ts';
import { severitiesTexts, summaryTexts } from '../summary/texts.ts';
import styles from './payloads.module.css';
import { payloadsTexts } from './texts.ts';

/** Shown at most: places of one finding, components and permissions of one app. */
const maxPlaces = 20;
const maxComponents = 20;
const maxPermissions = 60;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Ways({ sha256, ways }: { sha256: string; ways: readonly ChildWay[] }) {
  return (
    <table className={`${shared.table} ${styles.ways}`}>
      <caption className="visually-hidden">{payloadsTexts.ways}</caption>
      <tbody>
        {ways.map(({ origin, path, action, by }) => (
          <tr key={`${origin} ${path} ${action} ${by}`}>
            <th scope="row">{payloadsTexts.actions[action]}</th>
            <td>{payloadsTexts.origins[origin]}</td>
            <td>
              <HostileText value={path} max={300} mono isFixed />
              {by !== null && (
                <>
                  {' '}
                  {payloadsTexts.by} <PlaceLink sha256={sha256} place={by} />
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Matches({ sha256, child }: { sha256: string; child: ShownChild }) {
  return (
    <Fact name={payloadsTexts.facts.matches}>
      <Link to={`/apks/${sha256}/matches`}>
        <HostileText value={[...new Set(child.matches.map(({ rule }) => rule))].join(', ')} max={300} isFixed />
      </Link>
      {child.matches_count > child.matches.length &&
        payloadsTexts.moreMatches(child.matches_count - child.matches.length)}
    </Fact>
  );
}

/** Where code is, it can be opened; other places are those of the child's own manifest and files. */
function Place({ sha256, place }: { sha256: string; place: string }) {
  if (place === '') return '–';
  return place.startsWith('L') ? (
    <PlaceLink sha256={sha256} place={place} max={260} />
  ) : (
    <HostileText value={place} max={260} mono isFixed />
  );
}

function ChildFindings({ sha256, report }: { sha256: string; report: AndroguardReport }) {
  const libraries = [...report.trackers, ...report.known_libraries].map(({ prefix }) => prefix);
  const groups = groupFindings(report.findings, libraries);
  const lines = (findings: readonly Finding[]) =>
    findings.slice(0, maxPlaces).map(({ where, evidence }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: findings never change places, and equal ones may repeat
      <Fragment key={index}>
        <dt>
          <Place sha256={sha256} place={where} />
        </dt>
        <dd>{evidence === '' ? '–' : <HostileText value={evidence} max={300} mono isFixed />}</dd>
      </Fragment>
    ));
  return (
    <section className={shared.card}>
      <h2>{payloadsTexts.findings}</h2>
      {groups.length === 0 && <p className={shared.faint}>{payloadsTexts.noFindings}</p>}
      {groups.map(({ code, severity, findings, total }) => (
        <details key={`${severity} ${code}`} className={styles.finding}>
          <summary>
            <Icon name="chevron" size={12} />
            <Chip tone={severity}>{severitiesTexts[severity]}</Chip> <b>{findingText(code).title}</b>
            {total > 1 && <span className={`${shared.faint} tabular`}>×{total}</span>}
          </summary>
          <dl>{lines(findings)}</dl>
          {total > maxPlaces && <p className={shared.faint}>{summaryTexts.unlisted(total - maxPlaces)}</p>}
        </details>
      ))}
    </section>
  );
}

function ReportFacts({ sha256, kind, report }: { sha256: string; kind: ShownChild['kind']; report: AndroguardReport }) {
  const permissions = report.permission_details.toSorted(
    (a, b) => Number(b.protection_level === 'dangerous') - Number(a.protection_level === 'dangerous'),
  );
  const exported = report.components.filter((component) => component.exported);
  const { facts } = payloadsTexts;
  return (
    <section className={shared.card}>
      <dl className={shared.facts}>
        <Fact name={facts.code}>{summaryTexts.codeCounts(report.code)}</Fact>
        {kind === 'apk' && (
          <>
            <Fact name={facts.sdk}>
              {report.min_sdk_version ?? '–'} · {report.target_sdk_version ?? '–'}
            </Fact>
            <Fact name={facts.main}>
              {report.main_activity === '' ? '–' : <CodeLink sha256={sha256} name={report.main_activity} />}
            </Fact>
            <Fact name={facts.permissions}>
              <span className={shared.chips}>
                {permissions.length === 0 && '–'}
                {permissions.slice(0, maxPermissions).map(({ name, protection_level }) => (
                  <Chip key={name} tone={protection_level === 'dangerous' ? 'medium' : 'quiet'}>
                    <HostileText value={name.replace(/^android\.permission\./, '')} max={60} isFixed />
                  </Chip>
                ))}
              </span>
            </Fact>
            <Fact name={facts.exported}>
              {exported.length === 0 && '–'}
              <ul className={styles.components}>
                {exported.slice(0, maxComponents).map(({ kind: type, name }) => (
                  <li key={`${type} ${name}`}>
                    <span className={shared.faint}>{type}</span> <CodeLink sha256={sha256} name={name} />
                  </li>
                ))}
              </ul>
              {exported.length > maxComponents && summaryTexts.unlisted(exported.length - maxComponents)}
            </Fact>
          </>
        )}
      </dl>
    </section>
  );
}

function Report({ sha256, child }: { sha256: string; child: ShownChild }) {
  const report = useChildReport(sha256, child.sha256);
  if (!report.isSuccess) return <QueryState query={report} />;
  if (report.data === null) return <p className={shared.faint}>{payloadsTexts.noReport[child.status]}</p>;
  return (
    <>
      <ReportFacts sha256={sha256} kind={child.kind} report={report.data} />
      <ChildFindings sha256={sha256} report={report.data} />
    </>
  );
}

function Actions({ sha256, child }: { sha256: string; child: ShownChild }) {
  const promotion = usePromotion(sha256);
  const way = child.ways[0];
  return (
    <div className={shared.chips}>
      {child.is_in_catalogue ? (
        <Button size="compact-sm" component={Link} to={`/apks/${child.sha256}`}>
          {payloadsTexts.inCatalogue}
        </Button>
      ) : (
        child.kind === 'apk' && (
          <Button
            size="compact-sm"
            title={payloadsTexts.promoteHint}
            loading={promotion.isPending}
            onClick={() => promotion.mutate(child.sha256)}
          >
            {payloadsTexts.promote}
          </Button>
        )
      )}
      {way !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          to={fileAddress(sha256, childName(way), { view: 'hex' })}
        >
          {payloadsTexts.bytes}
        </Button>
      )}
      <SaveButton
        fileName={fileNameOf(child.sha256, child.kind)}
        fetchParts={async () => [await childFileOf(sha256, child.sha256)]}
      />
    </div>
  );
}

export function PayloadDetail({ sha256, child }: { sha256: string; child: ShownChild }) {
  const { facts } = payloadsTexts;
  return (
    <section className={`${shared.scroll} ${shared.padded}`} aria-label={payloadsTexts.kinds[child.kind]}>
      <div className={styles.head}>
        <h2>
          {payloadsTexts.kinds[child.kind]}
          {child.label !== null && (
            <>
              {' '}
              <HostileText value={child.label} max={80} />
            </>
          )}
        </h2>
        {child.risk !== null && <Chip tone="quiet">{payloadsTexts.risk(child.risk)}</Chip>}
        <span className={shared.faint}>{formatSize(child.size)}</span>
        <Actions sha256={sha256} child={child} />
      </div>
      {child.error !== null && (
        <p role="alert">
          {payloadsTexts.status.failed}: <HostileText value={child.error} max={300} />
        </p>
      )}
      <dl className={shared.facts}>
        <Fact name="SHA-256">
          <code className={shared.wrap}>{child.sha256}</code> <CopyButton text={child.sha256} what="SHA-256" />
        </Fact>
        {child.package_name !== null && (
          <Fact name={facts.package}>
            <HostileText value={child.package_name} max={200} mono isFixed />
          </Fact>
        )}
        {child.version_name !== null && (
          <Fact name={facts.version}>
            <HostileText value={child.version_name} max={60} isFixed />
          </Fact>
        )}
        {child.parent !== sha256 && (
          <Fact name={facts.inside}>
            <Link to={{ search: `?child=${child.parent}` }}>{child.parent.slice(0, 12)}</Link>
          </Fact>
        )}
        {child.matches_count > 0 && <Matches sha256={sha256} child={child} />}
      </dl>
      <Ways sha256={sha256} ways={child.ways} />
      <Report sha256={sha256} child={child} />
    </section>
  );
}
