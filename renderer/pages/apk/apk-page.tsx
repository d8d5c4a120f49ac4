// An APK's page: who it is, what is known of it, its parts. Knows records, not how they are fetched.
import { type ComponentType, lazy, Suspense } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport } from '../../../server/contract/reports.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { ApiError } from '../../api/client.ts';
import { useApk } from '../../api/queries.ts';
import { visibleString } from '../../components/hostile-text.tsx';
import { MissingReport } from '../../components/missing-report.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { PartedPage, type PartLink } from '../../components/parted-page.tsx';
import { compareAddress } from '../../components/place-address.ts';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { useShortcut } from '../../shell/shortcuts.ts';
import { texts } from '../../texts.ts';
import { ApkHeader } from './apk-header.tsx';
import { type PartName, partGroups, partKeys, partNames } from './parts.ts';
import { SummaryTab } from './summary-tab.tsx';

interface ReportTabProps {
  apk: ApkDetail;
  report: AndroguardReport;
}
type ApkTabProps = Pick<ReportTabProps, 'apk'>;

// The summary is what one comes for; every other part is loaded when it is opened.
const reportTabs: Partial<Record<PartName, ComponentType<ReportTabProps>>> = {
  summary: SummaryTab,
  permissions: lazy(async () => ({ default: (await import('./permissions-tab.tsx')).PermissionsTab })),
  components: lazy(async () => ({ default: (await import('./components-tab.tsx')).ComponentsTab })),
  signature: lazy(async () => ({ default: (await import('./signature-tab.tsx')).SignatureTab })),
  indicators: lazy(async () => ({ default: (await import('./indicators-tab.tsx')).IndicatorsTab })),
  abilities: lazy(async () => ({ default: (await import('./abilities-tab.tsx')).AbilitiesTab })),
  libraries: lazy(async () => ({ default: (await import('./libraries-tab.tsx')).LibrariesTab })),
  native: lazy(async () => ({ default: (await import('./native-tab.tsx')).NativeTab })),
};
/** Parts that do not wait for the static report. */
const apkTabs: Partial<Record<PartName, ComponentType<ApkTabProps>>> = {
  manifest: lazy(async () => ({ default: (await import('./manifest-tab.tsx')).ManifestTab })),
  files: lazy(async () => ({ default: (await import('./files-tab.tsx')).FilesTab })),
  resources: lazy(async () => ({ default: (await import('./resources-tab.tsx')).ResourcesTab })),
  code: lazy(async () => ({ default: (await import('./code-tab.tsx')).CodeTab })),
  dynamic: lazy(async () => ({ default: (await import('./dynamic-tab.tsx')).DynamicTab })),
  matches: lazy(async () => ({ default: (await import('./matches-tab.tsx')).MatchesTab })),
  community: lazy(async () => ({ default: (await import('./community-tab.tsx')).CommunityTab })),
  jobs: lazy(async () => ({ default: (await import('./jobs-tab.tsx')).JobsTab })),
  raw: lazy(async () => ({ default: (await import('./raw-tab.tsx')).RawTab })),
};

function countOf(name: PartName, apk: ApkDetail, report: AndroguardReport | null): number | null {
  if (name === 'matches') return apk.matches_count;
  if (name === 'community') return apk.comments_count + apk.votes_count + apk.detections.length;
  if (report === null) return null;
  switch (name) {
    case 'permissions':
      return report.permission_details.length;
    case 'components':
      return report.components.length;
    case 'code':
      return report.code.classes;
    case 'abilities':
      return Object.values(report.functionalities).reduce((sum, list) => sum + (list?.length ?? 0), 0);
    case 'libraries':
      return report.trackers.length + report.known_libraries.length;
    case 'native':
      return report.native_libraries.length;
    default:
      return null;
  }
}

function ReportTab({ name, apk }: { name: PartName; apk: ApkDetail }) {
  const report = useReportPart(apk.sha256, 'androguard');
  if (report.isPending) return <LoadingPanel label={texts.apk.loadingReport} />;
  if (report.isError) return <ErrorPanel error={report.error} onRetry={() => void report.refetch()} />;
  const Tab = reportTabs[name] ?? SummaryTab;
  if (report.data !== null) return <Tab apk={apk} report={report.data} />;
  return <MissingReport sha256={apk.sha256} kind="static" />;
}

function Content({ name, apk }: { name: PartName; apk: ApkDetail }) {
  const Tab = apkTabs[name];
  return Tab === undefined ? <ReportTab name={name} apk={apk} /> : <Tab apk={apk} />;
}

function usePartLinks(apk: ApkDetail | undefined) {
  const report = useReportPart(apk?.sha256 ?? '', 'androguard', apk !== undefined).data ?? null;
  if (apk === undefined) return [];
  return partGroups.map(({ group, parts }) => ({
    title: texts.parts.groups[group],
    parts: parts.map((name): PartLink => {
      const key = partKeys[name];
      return {
        name,
        label: texts.apk.tabs[name],
        address: `/apks/${apk.sha256}/${name}`,
        count: countOf(name, apk, report),
        ...(key === undefined ? {} : { title: texts.parts.shortcut(key) }),
      };
    }),
  }));
}

function PartShortcut({ name, run }: { name: PartName; run: (name: PartName) => void }) {
  const label = texts.parts.open(texts.apk.tabs[name]);
  useShortcut(texts.shortcuts.apk.group, [partKeys[name]!], label, () => run(name));
  return null;
}

export function Component() {
  const { sha256 = '', tab } = useParams();
  const name: PartName = partNames.find((candidate) => candidate === tab) ?? 'summary';
  const navigate = useNavigate();
  const apk = useApk(sha256);
  const groups = usePartLinks(apk.data);
  const { group, nextTab, previousTab, back } = texts.shortcuts.apk;
  // At once: a key that follows must not find the part that was open before.
  const open = (part: PartName) => void navigate(`/apks/${sha256}/${part}`, { flushSync: true });
  const step = (by: number) => open(partNames[(partNames.indexOf(name) + by + partNames.length) % partNames.length]!);
  useShortcut(group, [']', 'l'], nextTab, () => step(1));
  useShortcut(group, ['[', 'h'], previousTab, () => step(-1));
  useShortcut(group, ['Escape', 'u'], back, () => void navigate('/catalogue'));
  useShortcut(group, ['c'], texts.compare.withOther, () => void navigate(compareAddress(sha256)));

  const appName = visibleString(apk.data?.app || apk.data?.package_name || sha256, 80);
  usePageTitle(`${texts.apk.tabs[name]} · ${appName}`);

  if (apk.isPending) return <LoadingPanel />;
  if (apk.isError) {
    if (apk.error instanceof ApiError && apk.error.status === 404) {
      return (
        <StatePanel icon="search" title={texts.apk.notFound} isPage>
          {texts.apk.notFoundText}
        </StatePanel>
      );
    }
    return <ErrorPanel error={apk.error} onRetry={() => void apk.refetch()} isPage />;
  }
  return (
    <>
      {partNames
        .filter((part) => partKeys[part] !== undefined)
        .map((part) => (
          <PartShortcut key={part} name={part} run={open} />
        ))}
      <PartedPage head={<ApkHeader apk={apk.data} />} label={texts.apk.parts} groups={groups} current={name}>
        <Suspense fallback={<LoadingPanel />}>
          <Content key={`${sha256} ${name}`} name={name} apk={apk.data} />
        </Suspense>
      </PartedPage>
    </>
  );
}
