// What matters about an APK at one glance, each with the way to all of it. Knows the report only.
import { type ReactNode, useMemo } from 'react';
import { Link, useParams } from 'react-router';
import type { ApkPart } from '../../../../server/contract/catalogue/apk.ts';
import type { ChildrenSummary } from '../../../../server/contract/catalogue/child.ts';
import type { AndroguardReport, ComponentRecord } from '../../../../server/contract/engine/reports.ts';
import { useMatches, useReportPart, useRisk } from '../../../api/apk-queries.ts';
import { searchAddress } from '../../../components/place/catalogue-address.ts';
import { codeAddress } from '../../../components/place/place-address.ts';
import { Chip } from '../../../components/text/chip.tsx';
import { counted, formatCount } from '../../../components/text/counted.ts';
import { formatSize, splitDistinguishedName } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { functionalitiesTexts } from '../abilities/texts.ts';
import { isUnguarded } from '../components/guard.ts';
import { componentsTexts } from '../components/texts.ts';
import { type BehaviourPart, behaviourOf } from '../dynamic/dynamic-report.ts';
import { taintName } from '../dynamic/entry-details.ts';
import { dynamicTexts } from '../dynamic/texts.ts';
import type { ReportPartProps } from '../parts.tsx';
import { payloadsTexts } from '../payloads/texts.ts';
import { signatureTexts, signatureVerdict } from '../signature/texts.ts';
import { apkTexts } from '../texts.ts';
import { Validity } from '../validity.tsx';
import { Findings } from './findings.tsx';
import { RiskCard } from './risk-card.tsx';
import styles from './summary.module.css';
import { TechniquesCard } from './techniques-card.tsx';
import { androidVersion, behaviourTexts, partsTexts, severitiesTexts, summaryTexts } from './texts.ts';

function Card({ title, to, children }: { title: string; to?: string; children: ReactNode }) {
  return (
    <section className={styles.card}>
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        {to !== undefined && (
          <Link to={to} className={styles.cardLink} aria-label={`${summaryTexts.open} ${title}`}>
            {summaryTexts.open}
          </Link>
        )}
      </div>
      <div className={styles.cardBody}>{children}</div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A class that the manifest names, leading to its code; a name of any length. */
function ClassLink({ sha256, name }: { sha256: string; name: string }) {
  const isHonest = name.length <= 300;
  if (!isHonest) return <HostileText value={name} mono />;
  return (
    <Link to={codeAddress(sha256, `L${name.replaceAll('.', '/')};`)}>
      <HostileText value={name} max={300} mono isFixed />
    </Link>
  );
}

/** Leaks shown at once. */
const shownLeaks = 5;

/** What the app did when it was run, by kind; each leads to its list. */
function BehaviourCard({ sha256, to }: { sha256: string; to: string }) {
  const report = useReportPart(sha256, 'dynamic');
  const behaviour = useMemo(() => (report.data ? behaviourOf(report.data) : null), [report.data]);
  if (behaviour === null) return null;
  const parts = (Object.keys(behaviour) as BehaviourPart[]).filter((part) => behaviour[part].length > 0);
  return (
    <Card title={behaviourTexts.doing} to={to}>
      {parts.length === 0 && <p className={styles.nothing}>{dynamicTexts.empty}</p>}
      <div className={styles.abilities}>
        {parts.map((part) => (
          <Link key={part} to={`${to}?part=${part}`} className={styles.ability}>
            <span>{dynamicTexts.parts[part]}</span>
            <span className="tabular">{formatCount(behaviour[part].length)}</span>
          </Link>
        ))}
      </div>
      {behaviour.leaks.length > 0 && (
        <ul className={styles.plainList}>
          {behaviour.leaks.slice(0, shownLeaks).map(({ tags, subject }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: leaks never change places
            <li key={index}>
              <Chip tone="high">
                <HostileText value={tags.map(taintName).join(', ')} max={80} isFixed />
              </Chip>
              <HostileText value={subject} max={160} mono isFixed />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PayloadsCard({ summary: { count, kinds, severity }, to }: { summary: ChildrenSummary; to: string }) {
  return (
    <Card title={payloadsTexts.count(count)} to={to}>
      <p className={styles.line}>
        {severity !== null && <Chip tone={severity}>{severitiesTexts[severity]}</Chip>}{' '}
        {payloadsTexts.kindCounts(kinds)}
      </p>
    </Card>
  );
}

/** What the app is installed with, and what each part adds. */
function PartsCard({ parts, to }: { parts: readonly ApkPart[]; to: string }) {
  return (
    <Card title={partsTexts.title(parts.length)} to={to}>
      <ul className={styles.plainList}>
        {parts.map((part) => (
          <li key={part.sha256}>
            <b>
              <HostileText value={part.adds.name} max={80} isFixed />
            </b>
            <span className={styles.wrap}>
              <HostileText
                value={[...partsTexts.adds(part.adds), formatSize(part.size)].join(' · ')}
                max={200}
                isFixed
              />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MatchesCard({ sha256, to }: { sha256: string; to: string }) {
  const matches = useMatches(sha256);
  const list = matches.data?.items ?? [];
  if (list.length === 0) return null;
  return (
    <Card title={summaryTexts.matches(list.length)} to={to}>
      <ul className={styles.plainList}>
        {list.slice(0, 10).map(({ id, ruleset, rules_matched }) => (
          <li key={id}>
            <b>
              <HostileText value={ruleset.name} max={80} isFixed />
            </b>
            <span className={styles.wrap}>
              <HostileText value={[...new Set(rules_matched.map(({ name }) => name))].join(', ')} max={200} isFixed />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SignerCard({ report, to }: { report: AndroguardReport; to: string }) {
  const { certificate, signature } = report;
  const present = signature.schemes.filter((scheme) => scheme.present);
  return (
    <Card title={summaryTexts.signer} to={to}>
      <div className={styles.chips}>
        <Chip tone={signature.verified ? 'good' : 'high'} icon={signature.verified ? 'shieldCheck' : 'warning'}>
          {signatureVerdict(signature)}
        </Chip>
        {present.map((scheme) => (
          <Chip
            key={scheme.scheme}
            tone={scheme.verified === null ? 'quiet' : scheme.verified ? 'good' : 'high'}
            title={scheme.errors.map(({ message }) => message).join('\n')}
          >
            {scheme.scheme}
          </Chip>
        ))}
      </div>
      {certificate === null ? (
        <p className={styles.nothing}>{signatureTexts.noCertificate}</p>
      ) : (
        <dl className={styles.facts}>
          {splitDistinguishedName(certificate.subjectDN)
            .slice(0, 8)
            .map(({ key, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may hold the same attribute twice
              <Fact key={index} name={key}>
                <HostileText value={value} max={120} />
              </Fact>
            ))}
          <Fact name={signatureTexts.valid}>
            <Validity certificate={certificate} />
          </Fact>
          <Fact name={signatureTexts.key}>{certificate.public_key}</Fact>
          <Fact name="SHA-256">
            <code className={styles.wrap}>{certificate.sha256.toLowerCase()}</code>
          </Fact>
          <Fact name="">
            <Link to={searchAddress(`cert:${certificate.sha256.toLowerCase()}`)}>{apkTexts.ofSigner}</Link>
          </Fact>
        </dl>
      )}
    </Card>
  );
}

function PlatformCard({ sha256, report }: { sha256: string; report: AndroguardReport }) {
  const { platform } = summaryTexts;
  const sdk = (level: number | null) => (level === null ? '–' : `${level} (${androidVersion(level)})`);
  const kinds = Map.groupBy(report.components, ({ kind }) => kind);
  return (
    <Card title={summaryTexts.app}>
      <dl className={styles.facts}>
        <Fact name={platform.min}>{sdk(report.min_sdk_version)}</Fact>
        <Fact name={platform.target}>{sdk(report.target_sdk_version)}</Fact>
        <Fact name={platform.main}>
          {report.main_activity === '' ? '–' : <ClassLink sha256={sha256} name={report.main_activity} />}
        </Fact>
        <Fact name={platform.code}>{summaryTexts.codeCounts(report.code)}</Fact>
        <Fact name={platform.components}>
          {[...kinds]
            .map(([kind, list]) => counted(list.length, componentsTexts.kind[kind], componentsTexts.kinds[kind]))
            .join(' · ') || '–'}
        </Fact>
        <Fact name={platform.abis}>
          {[...new Set(report.native_libraries.map(({ abi }) => abi))].join(', ') || '–'}
        </Fact>
        {report.cordova !== null && (
          <Fact name="Cordova">
            <HostileText value={report.cordova} max={60} />
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function FunctionalitiesCard({ report, to }: { report: AndroguardReport; to: string }) {
  const functionalities = Object.entries(report.functionalities)
    .map(([name, list]) => ({ name, count: list?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <Card title={summaryTexts.abilities} to={to}>
      {functionalities.length === 0 ? (
        <p className={styles.nothing}>{summaryTexts.noAbilities}</p>
      ) : (
        <div className={styles.abilities}>
          {functionalities.map(({ name, count }) => (
            <Link key={name} to={`${to}?name=${name}`} className={styles.ability}>
              <span>{functionalitiesTexts[name] ?? name}</span>
              <span className="tabular">{formatCount(count)}</span>
            </Link>
          ))}
        </div>
      )}
    </Card>
  );
}

function NetworkCard({ report, to }: { report: AndroguardReport; to: string }) {
  const { urls, domains, ips, emails } = report.indicators;
  return (
    <Card title={summaryTexts.contacts(domains.length)} to={to}>
      <p className={styles.line}>
        {summaryTexts.contactCounts(urls.length, domains.length, ips.length, emails.length)}
      </p>
      <ul className={styles.values}>
        {[...ips.slice(0, 6), ...domains.slice(0, 12)].map(({ value }) => (
          <li key={value}>
            <HostileText value={value} max={100} mono />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PermissionsCard({ report, to }: { report: AndroguardReport; to: string }) {
  const dangerous = report.permission_details.filter(({ protection_level }) => protection_level === 'dangerous');
  return (
    <Card title={summaryTexts.dangerous(dangerous.length, report.permission_details.length)} to={to}>
      {dangerous.length === 0 ? (
        <p className={styles.nothing}>{summaryTexts.noDangerous}</p>
      ) : (
        <div className={styles.chips}>
          {dangerous.slice(0, 40).map(({ name }) => (
            <Chip key={name} tone="medium" title={name}>
              <HostileText value={name.replace(/^android\.permission\./, '')} max={50} isFixed />
            </Chip>
          ))}
        </div>
      )}
    </Card>
  );
}

function ExportedCard({ sha256, report, to }: { sha256: string; report: AndroguardReport; to: string }) {
  const exported = report.components.filter((component) => component.exported);
  const isOpen = (component: ComponentRecord) => component.exported && isUnguarded(component);
  return (
    <Card title={summaryTexts.exported(exported.length)} to={to}>
      {exported.length === 0 ? (
        <p className={styles.nothing}>{summaryTexts.noExported}</p>
      ) : (
        <ul className={styles.plainList}>
          {exported
            .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)))
            .slice(0, 8)
            .map((component) => (
              <li key={`${component.kind} ${component.name}`}>
                <span className={styles.kind}>{componentsTexts.kind[component.kind]}</span>
                <ClassLink sha256={sha256} name={component.name} />
                {isOpen(component) && <Chip tone="medium">{componentsTexts.unprotected}</Chip>}
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}

export function Component({ apk, report }: ReportPartProps) {
  const { sha256 = '' } = useParams();
  const to = (tab: string) => `/apks/${sha256}/${tab}`;
  const libraries = useMemo(
    () => [...report.trackers, ...report.known_libraries].map(({ prefix }) => prefix),
    [report],
  );
  const risk = useRisk(sha256);
  const findings = useMemo(() => [...(risk.data?.behaviour ?? []), ...report.findings], [risk.data, report]);
  return (
    <div className={styles.summary}>
      <div className={styles.column}>
        {risk.data && <RiskCard sha256={sha256} risk={risk.data} />}
        <Findings sha256={sha256} findings={findings} libraries={libraries} />
        {apk.parts.length > 0 && <PartsCard parts={apk.parts} to={to('payloads')} />}
        {apk.workstation.children !== null && <PayloadsCard summary={apk.workstation.children} to={to('payloads')} />}
        {apk.is_dynamic_analyzed && <BehaviourCard sha256={sha256} to={to('dynamic')} />}
        <FunctionalitiesCard report={report} to={to('abilities')} />
        <NetworkCard report={report} to={to('indicators')} />
      </div>
      <div className={styles.column}>
        {apk.detections.length > 0 && (
          <Card title={summaryTexts.detections}>
            <ul className={styles.plainList}>
              {apk.detections.map((detection) => (
                <li key={detection.source}>
                  <HostileText value={detection.source} max={80} />{' '}
                  <HostileText value={JSON.stringify(detection.information)} max={200} mono />
                </li>
              ))}
            </ul>
          </Card>
        )}
        {apk.matches_count > 0 && <MatchesCard sha256={sha256} to={to('matches')} />}
        <SignerCard report={report} to={to('signature')} />
        {risk.data && <TechniquesCard sha256={sha256} techniques={risk.data.techniques} />}
        <PlatformCard sha256={sha256} report={report} />
        <PermissionsCard report={report} to={to('permissions')} />
        <ExportedCard sha256={sha256} report={report} to={to('components')} />
        <Card title={summaryTexts.trackers(report.trackers.length)} to={to('libraries')}>
          {report.trackers.length === 0 ? (
            <p className={styles.nothing}>{summaryTexts.noTrackers}</p>
          ) : (
            <div className={styles.chips}>
              {report.trackers.slice(0, 40).map(({ name }) => (
                <Chip key={name} tone="low">
                  {name}
                </Chip>
              ))}
            </div>
          )}
        </Card>
      </div>
    </div>
  );
}
