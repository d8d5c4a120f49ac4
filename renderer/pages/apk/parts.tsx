// The parts of an APK's page, one row each, in the order in which they are listed. Knows no content.
import { type ComponentType, lazy } from 'react';
import type { ApkDetail } from '../../../server/contract/catalogue/apk.ts';
import type { AndroguardReport } from '../../../server/contract/engine/reports.ts';
import { Component as Summary } from './summary/summary-part.tsx';

/** Titles of the groups; the first has none. */
export const partGroups = {
  overview: '',
  declared: 'Declared',
  content: 'Content',
  behaviour: 'Behaviour',
  record: 'Record',
} as const;

export interface ApkPartProps {
  apk: ApkDetail;
}
export interface ReportPartProps extends ApkPartProps {
  report: AndroguardReport;
}

interface Row {
  /** Stands in the part's address, `/apks/<sha256>/<name>`. */
  readonly name: string;
  readonly group: keyof typeof partGroups;
  readonly title: string;
  /** Opens it, anywhere on the page. */
  readonly key?: string;
  /** How much it holds; the report is null until it is there. */
  readonly count?: (apk: ApkDetail, report: AndroguardReport | null) => number | undefined;
}

/** A part that needs the static report is shown once there is one; until then its place says how to get it. */
export type ApkPart = Row &
  (
    | { readonly needs: 'apk'; readonly Content: ComponentType<ApkPartProps> }
    | { readonly needs: 'static report'; readonly Content: ComponentType<ReportPartProps> }
  );

/** The summary is what one comes for; every other part is loaded when it is opened. */
const opened = <Props,>(load: () => Promise<{ Component: ComponentType<Props> }>) =>
  lazy(async () => ({ default: (await load()).Component }));

export const parts: readonly ApkPart[] = [
  { name: 'summary', group: 'overview', title: 'Summary', key: '1', needs: 'static report', Content: Summary },
  {
    name: 'versions',
    group: 'overview',
    title: 'Versions',
    needs: 'apk',
    Content: opened(() => import('./versions/versions-part.tsx')),
  },
  {
    name: 'similar',
    group: 'overview',
    title: 'Similar',
    key: 's',
    needs: 'static report',
    Content: opened(() => import('./similar/similar-part.tsx')),
  },
  {
    name: 'connections',
    group: 'overview',
    title: 'Connections',
    needs: 'apk',
    Content: opened(() => import('./connections/connections-part.tsx')),
  },
  {
    name: 'manifest',
    group: 'declared',
    title: 'Manifest',
    key: '2',
    needs: 'apk',
    Content: opened(() => import('./manifest/manifest-part.tsx')),
  },
  {
    name: 'permissions',
    group: 'declared',
    title: 'Permissions',
    key: '3',
    count: (_, report) => report?.permission_details.length,
    needs: 'static report',
    Content: opened(() => import('./permissions/permissions-part.tsx')),
  },
  {
    name: 'components',
    group: 'declared',
    title: 'Components',
    key: '4',
    count: (_, report) => report?.components.length,
    needs: 'static report',
    Content: opened(() => import('./components/components-part.tsx')),
  },
  {
    name: 'signature',
    group: 'declared',
    title: 'Signature',
    key: '5',
    needs: 'static report',
    Content: opened(() => import('./signature/signature-part.tsx')),
  },
  {
    name: 'files',
    group: 'content',
    title: 'Files',
    key: '6',
    needs: 'apk',
    Content: opened(() => import('./files/files-part.tsx')),
  },
  {
    name: 'resources',
    group: 'content',
    title: 'Resources',
    needs: 'apk',
    Content: opened(() => import('./resources/resources-part.tsx')),
  },
  {
    name: 'indicators',
    group: 'content',
    title: 'Strings',
    key: '8',
    needs: 'static report',
    Content: opened(() => import('./indicators/indicators-part.tsx')),
  },
  {
    name: 'code',
    group: 'content',
    title: 'Code',
    key: '7',
    count: (_, report) => report?.code.classes,
    needs: 'apk',
    Content: opened(() => import('./code/code-part.tsx')),
  },
  {
    name: 'abilities',
    group: 'content',
    title: 'Functionalities',
    count: (_, report) => report?.functionalities && Object.values(report.functionalities).flat().length,
    needs: 'static report',
    Content: opened(() => import('./abilities/abilities-part.tsx')),
  },
  {
    name: 'libraries',
    group: 'content',
    title: 'Libraries',
    count: (_, report) => report?.trackers && report.trackers.length + report.known_libraries.length,
    needs: 'static report',
    Content: opened(() => import('./libraries/libraries-part.tsx')),
  },
  {
    name: 'native',
    group: 'content',
    title: 'Native',
    count: (_, report) => report?.native_libraries.length,
    needs: 'static report',
    Content: opened(() => import('./native/native-part.tsx')),
  },
  {
    name: 'bundles',
    group: 'content',
    title: 'Bundles',
    count: (_, report) => report?.bundles?.length,
    needs: 'apk',
    Content: opened(() => import('./native/bundles-part.tsx')),
  },
  {
    name: 'payloads',
    group: 'behaviour',
    title: 'Payloads',
    key: 'p',
    count: (apk) => apk.workstation.children?.count,
    needs: 'apk',
    Content: opened(() => import('./payloads/payloads-part.tsx')),
  },
  {
    name: 'dynamic',
    group: 'behaviour',
    title: 'Dynamic',
    key: '9',
    needs: 'apk',
    Content: opened(() => import('./dynamic/dynamic-part.tsx')),
  },
  {
    name: 'matches',
    group: 'behaviour',
    title: 'YARA',
    count: (apk) => apk.matches_count,
    needs: 'apk',
    Content: opened(() => import('./matches/matches-part.tsx')),
  },
  {
    name: 'community',
    group: 'behaviour',
    title: 'Community',
    key: '0',
    count: (apk) => apk.comments_count + apk.votes_count + apk.detections.length,
    needs: 'apk',
    Content: opened(() => import('./community/community-part.tsx')),
  },
  {
    name: 'jobs',
    group: 'record',
    title: 'Jobs',
    needs: 'apk',
    Content: opened(() => import('./jobs/jobs-part.tsx')),
  },
  {
    name: 'raw',
    group: 'record',
    title: 'Raw',
    needs: 'apk',
    Content: opened(() => import('./raw/raw-part.tsx')),
  },
];
