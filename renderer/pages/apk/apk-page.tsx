// An APK's page: who it is, what is known of it, its parts as tabs. Knows records, not how they are fetched.
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport } from '../../../server/contract/reports.ts';
import { ApiError } from '../../api/client.ts';
import { useApk, useJobs, useReport } from '../../api/queries.ts';
import { formatCount } from '../../components/format.ts';
import { visibleString } from '../../components/hostile-text.tsx';
import { JobProgress } from '../../components/job-progress.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { texts } from '../../texts.ts';
import styles from './apk.module.css';
import { ApkHeader } from './apk-header.tsx';
import { SummaryTab } from './summary-tab.tsx';

// The summary is what one comes for; every other part is loaded when it is opened.
const PermissionsTab = lazy(async () => ({ default: (await import('./permissions-tab.tsx')).PermissionsTab }));
const ComponentsTab = lazy(async () => ({ default: (await import('./components-tab.tsx')).ComponentsTab }));
const SignatureTab = lazy(async () => ({ default: (await import('./signature-tab.tsx')).SignatureTab }));
const IndicatorsTab = lazy(async () => ({ default: (await import('./indicators-tab.tsx')).IndicatorsTab }));
const CodeTab = lazy(async () => ({ default: (await import('./code-tab.tsx')).CodeTab }));
const LibrariesTab = lazy(async () => ({ default: (await import('./libraries-tab.tsx')).LibrariesTab }));
const NativeTab = lazy(async () => ({ default: (await import('./native-tab.tsx')).NativeTab }));
const ManifestTab = lazy(async () => ({ default: (await import('./manifest-tab.tsx')).ManifestTab }));
const FilesTab = lazy(async () => ({ default: (await import('./files-tab.tsx')).FilesTab }));
const RawTab = lazy(async () => ({ default: (await import('./raw-tab.tsx')).RawTab }));

type TabName = keyof typeof texts.apk.tabs;
const tabNames = Object.keys(texts.apk.tabs) as TabName[];

function countOf(name: TabName, report: AndroguardReport | null): number | null {
  if (report === null) return null;
  const { indicators } = report;
  switch (name) {
    case 'permissions':
      return report.permission_details.length;
    case 'components':
      return report.components.length;
    case 'indicators':
      return indicators.urls.length + indicators.domains.length + indicators.ips.length + indicators.emails.length;
    case 'code':
      return Object.values(report.functionalities).reduce((sum, list) => sum + (list?.length ?? 0), 0);
    case 'libraries':
      return report.trackers.length + report.known_libraries.length;
    case 'native':
      return report.native_libraries.length;
    default:
      return null;
  }
}

function ReportTab({ name, apk, report }: { name: TabName; apk: ApkDetail; report: AndroguardReport }) {
  switch (name) {
    case 'summary':
      return <SummaryTab apk={apk} report={report} />;
    case 'permissions':
      return <PermissionsTab report={report} />;
    case 'components':
      return <ComponentsTab report={report} />;
    case 'signature':
      return <SignatureTab report={report} />;
    case 'code':
      return <CodeTab report={report} />;
    case 'libraries':
      return <LibrariesTab report={report} />;
    case 'native':
      return <NativeTab report={report} />;
    case 'indicators':
      return <IndicatorsTab apk={apk} report={report} />;
    case 'manifest':
      return <ManifestTab sha256={apk.sha256} />;
    case 'files':
      return <FilesTab sha256={apk.sha256} />;
    case 'raw':
      return <RawTab sha256={apk.sha256} />;
  }
}

function TabContent({ name, apk }: { name: TabName; apk: ApkDetail }) {
  const report = useReport(apk.sha256);
  const jobs = useJobs({ apk: apk.sha256 });
  if (report.isPending) return <LoadingPanel label={texts.apk.loadingReport} />;
  if (report.isError) return <ErrorPanel error={report.error} onRetry={() => void report.refetch()} />;
  const androguard = report.data?.androguard ?? null;
  if (androguard !== null) return <ReportTab name={name} apk={apk} report={androguard} />;
  const latest = jobs.data?.results.find(({ kind }) => kind === 'static');
  if (latest?.status === 'failed') {
    return (
      <StatePanel icon="warning" title={texts.apk.analysisFailed}>
        {latest.error ?? ''}
      </StatePanel>
    );
  }
  if (latest?.status === 'running' || latest?.status === 'queued') {
    return (
      <StatePanel icon="flask" title={latest.status === 'queued' ? texts.apk.analysisQueued : texts.apk.analysisRuns}>
        <div className={styles.progress}>
          <JobProgress job={latest} />
        </div>
      </StatePanel>
    );
  }
  return (
    <StatePanel icon="flask" title={texts.apk.notAnalyzed}>
      {texts.apk.notAnalyzedText}
    </StatePanel>
  );
}

export function Component() {
  const { sha256 = '', tab } = useParams();
  const name: TabName = tabNames.find((candidate) => candidate === tab) ?? 'summary';
  const navigate = useNavigate();
  const apk = useApk(sha256);
  const report = useReport(sha256);
  const { group, nextTab, previousTab, back } = texts.shortcuts.apk;
  const step = (by: number) => {
    const next = tabNames[(tabNames.indexOf(name) + by + tabNames.length) % tabNames.length]!;
    void navigate(`/apks/${sha256}/${next}`, { replace: true });
  };
  useShortcut(group, [']', 'l'], nextTab, () => step(1));
  useShortcut(group, ['[', 'h'], previousTab, () => step(-1));
  useShortcut(group, ['Escape', 'u'], back, () => void navigate('/catalogue'));

  useEffect(() => {
    if (apk.data === undefined) return;
    document.title = texts.title(visibleString(apk.data.app || apk.data.package_name || apk.data.sha256, 80));
  }, [apk.data]);

  if (apk.isPending) return <LoadingPanel />;
  if (apk.isError) {
    if (apk.error instanceof ApiError && apk.error.status === 404) {
      return (
        <StatePanel icon="search" title={texts.apk.notFound}>
          {texts.apk.notFoundText}
        </StatePanel>
      );
    }
    return <ErrorPanel error={apk.error} onRetry={() => void apk.refetch()} />;
  }
  const androguard = report.data?.androguard ?? null;
  const links: ReactNode = tabNames.map((candidate) => {
    const count = countOf(candidate, androguard);
    return (
      <Link
        key={candidate}
        to={`/apks/${sha256}/${candidate}`}
        replace
        className={styles.tab}
        aria-current={candidate === name ? 'page' : undefined}
      >
        {texts.apk.tabs[candidate]}
        {count !== null && count > 0 && <span className="tabular">{formatCount(count)}</span>}
      </Link>
    );
  });
  return (
    <article className={styles.page}>
      <ApkHeader apk={apk.data} />
      <nav className={styles.tabs} aria-label={texts.apk.parts}>
        {links}
      </nav>
      <div className={styles.content} data-testid={`tab-${name}`}>
        <Suspense fallback={<LoadingPanel />}>
          <TabContent key={`${sha256} ${name}`} name={name} apk={apk.data} />
        </Suspense>
      </div>
    </article>
  );
}
