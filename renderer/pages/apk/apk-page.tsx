// An APK's page: who it is, what is known of it, its parts. Knows records, not how they are fetched.
import { Suspense } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { ApiError } from '../../api/client.ts';
import { useApk } from '../../api/queries.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { PartedPage, type PartLink } from '../../components/page/parted-page.tsx';
import { LoadingPanel, QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { compareAddress } from '../../components/place/place-address.ts';
import { QueueBar } from '../../components/queue/queue-bar.tsx';
import { useQueue } from '../../components/queue/use-queue.ts';
import { MissingReport } from '../../components/status/missing-report.tsx';
import { visibleString } from '../../components/text/hostile-text.tsx';
import { useShortcut } from '../../shortcuts/shortcuts.ts';
import { texts } from '../../texts.ts';
import { compareTexts } from '../compare/texts.ts';
import { ApkHeader } from './apk-header.tsx';
import { type ApkPart, partGroups, parts } from './parts.tsx';
import { apkTexts } from './texts.ts';

function ReportPart({ part, apk }: { part: ApkPart & { needs: 'static report' }; apk: ApkDetail }) {
  const report = useReportPart(apk.sha256, 'androguard');
  if (!report.isSuccess) return <QueryState query={report} label={apkTexts.loadingReport} />;
  if (report.data !== null) return <part.Content apk={apk} report={report.data} />;
  return <MissingReport sha256={apk.sha256} kind="static" />;
}

function usePartLinks(apk: ApkDetail | undefined) {
  const report = useReportPart(apk?.sha256 ?? '', 'androguard', apk !== undefined).data ?? null;
  if (apk === undefined) return [];
  return [...Map.groupBy(parts, ({ group }) => group)].map(([group, ofGroup]) => ({
    title: partGroups[group],
    parts: ofGroup.map(
      ({ name, title, key, count }): PartLink => ({
        name,
        label: title,
        address: `/apks/${apk.sha256}/${name}`,
        count: count?.(apk, report) ?? null,
        ...(key === undefined ? {} : { title: apkTexts.partShortcut(key) }),
      }),
    ),
  }));
}

function PartShortcut({ part, run }: { part: ApkPart & { key: string }; run: (part: ApkPart) => void }) {
  useShortcut(texts.shortcuts.apk.group, [part.key], apkTexts.openPart(part.title), () => run(part));
  return null;
}

const hasKey = (part: ApkPart): part is ApkPart & { key: string } => part.key !== undefined;

export function Component() {
  const { sha256 = '', tab } = useParams();
  const at = Math.max(
    0,
    parts.findIndex(({ name }) => name === tab),
  );
  const part = parts[at]!;
  const navigate = useNavigate();
  const apk = useApk(sha256);
  const groups = usePartLinks(apk.data);
  const { group, nextTab, previousTab, back } = texts.shortcuts.apk;
  // At once: the next key must find the new part.
  const open = ({ name }: ApkPart) => void navigate(`/apks/${sha256}/${name}`, { flushSync: true });
  const step = (by: number) => open(parts.at((at + by) % parts.length)!);
  useShortcut(group, [']', 'l'], nextTab, () => step(1));
  useShortcut(group, ['[', 'h'], previousTab, () => step(-1));
  const queue = useQueue();
  useShortcut(group, ['Escape', 'u'], back, () =>
    queue.search === null ? void navigate('/catalogue') : queue.leave(),
  );
  useShortcut(group, ['c'], compareTexts.withOther, () => void navigate(compareAddress(sha256)));

  const appName = visibleString(apk.data?.app || apk.data?.package_name || sha256, 80);
  usePageTitle(`${part.title} · ${appName}`);

  if (apk.error instanceof ApiError && apk.error.status === 404) {
    return (
      <StatePanel icon="search" title={apkTexts.notFound} isPage>
        {apkTexts.notFoundText}
      </StatePanel>
    );
  }
  if (!apk.isSuccess) return <QueryState query={apk} isPage />;
  return (
    <>
      <QueueBar sha256={sha256} />
      {parts.filter(hasKey).map((one) => (
        <PartShortcut key={one.name} part={one} run={open} />
      ))}
      <PartedPage head={<ApkHeader apk={apk.data} />} label={apkTexts.parts} groups={groups} current={part.name}>
        <Suspense fallback={<LoadingPanel />}>
          {part.needs === 'apk' ? (
            <part.Content key={`${sha256} ${part.name}`} apk={apk.data} />
          ) : (
            <ReportPart key={`${sha256} ${part.name}`} part={part} apk={apk.data} />
          )}
        </Suspense>
      </PartedPage>
    </>
  );
}
