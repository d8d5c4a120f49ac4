// The columns of the catalogue: what each shows, how wide it is, what it sorts by; and which are chosen.
import type { ReactNode } from 'react';
import { create } from 'zustand';
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { RiskChip } from '../../components/status/risk-chip.tsx';
import { StatusChips } from '../../components/status/status-chips.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatFull, formatSize, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { VerdictChip } from '../../components/verdict/verdict-chip.tsx';
import { apkTexts } from '../apk/texts.ts';
import styles from './catalogue.module.css';
import { columnsTexts } from './texts.ts';

export type ColumnName = keyof typeof columnsTexts.labels;

interface Column {
  /** Track of the grid. */
  width: string;
  /** Column of the API's `ordering`. */
  sort?: string;
  isNumber?: boolean;
  cell: (apk: Apk) => ReactNode;
}

/** A row has space for so many; the APK's own page shows all. */
const maxTags = 3;

/** The family by code, where verdicts do not say the same. */
function CodeFamily({ of: { family, code_family: byCode } }: { of: Apk['workstation'] }) {
  if (byCode === null || byCode.name.toLowerCase() === family.toLowerCase()) return null;
  return (
    <Chip tone="quiet" icon="families" title={columnsTexts.codeFamily}>
      <HostileText value={byCode.name} max={40} isFixed />
    </Chip>
  );
}

function Status({ apk }: { apk: Apk }) {
  return (
    <span className={styles.status} title={visibleString(apk.tags.map((tag) => `#${tag}`).join(' ')) || undefined}>
      <StatusChips apk={apk} />
      <CodeFamily of={apk.workstation} />
      {apk.tags.slice(0, maxTags).map((tag) => (
        <Chip key={tag} tone="info">
          <HostileText value={`#${tag}`} max={24} isFixed />
        </Chip>
      ))}
      {apk.tags.length > maxTags && <Chip tone="quiet">+{apk.tags.length - maxTags}</Chip>}
    </span>
  );
}

const text = (value: string, max: number) => (
  <span className={styles.cell} title={visibleString(value)}>
    <HostileText value={value} max={max} isFixed />
  </span>
);
const hash = (value: string) => <span className={`${styles.cell} ${styles.hash}`}>{value.slice(0, 12)}</span>;
const number = (value: string) => <span className={`${styles.number} tabular`}>{value}</span>;
const amount = (value: number) => number(value === 0 ? '' : formatCount(value));
const time = (value: string) => (
  <time className={`${styles.number} tabular`} dateTime={value} title={formatFull(value)}>
    {formatWhen(value)}
  </time>
);

const Risk = ({ risk }: { risk: Apk['workstation']['risk'] }) => (
  <span className={`${styles.number} tabular`}>
    <RiskChip risk={risk} />
  </span>
);

export const columns: Record<ColumnName, Column> = {
  app: {
    width: 'minmax(140px, 2.4fr)',
    sort: 'app',
    cell: (apk) => (
      <span className={styles.names}>
        <span className={styles.app} title={visibleString(apk.app)}>
          <HostileText value={apk.app === '' ? apkTexts.unnamed : apk.app} max={120} isFixed />
        </span>
        <span className={styles.package} title={visibleString(apk.package_name)}>
          <HostileText value={apk.package_name} max={160} isFixed mono />
        </span>
      </span>
    ),
  },
  risk: { width: '58px', sort: 'risk', isNumber: true, cell: ({ workstation: { risk } }) => <Risk risk={risk} /> },
  severity: {
    width: '72px',
    sort: 'severity',
    isNumber: true,
    cell: ({ workstation: { severity } }) => (
      <span className={styles.number}>
        {severity !== null && <Chip tone={severity}>{columnsTexts.severities[severity]}</Chip>}
      </span>
    ),
  },
  status: { width: 'minmax(90px, 1.5fr)', sort: 'is_detected', cell: (apk) => <Status apk={apk} /> },
  verdict: {
    width: '96px',
    sort: 'verdict',
    isNumber: true,
    cell: ({ workstation: { verdict } }) => (
      <span className={styles.number}>{verdict !== 'unknown' && <VerdictChip verdict={verdict} family="" />}</span>
    ),
  },
  family: {
    width: 'minmax(60px, 1fr)',
    sort: 'family',
    cell: ({ workstation }) => (
      <span className={styles.status}>
        {workstation.family !== '' && text(workstation.family, 60)}
        <CodeFamily of={workstation} />
      </span>
    ),
  },
  findings: {
    width: '66px',
    sort: 'findings_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.findings_count ?? 0),
  },
  techniques: {
    width: '78px',
    sort: 'techniques_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.techniques_count ?? 0),
  },
  trackers: {
    width: '64px',
    sort: 'trackers_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.trackers_count ?? 0),
  },
  libraries: {
    width: '66px',
    sort: 'libraries_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.libraries_count ?? 0),
  },
  apis: {
    width: '54px',
    sort: 'apis_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.apis_count ?? 0),
  },
  hosts: {
    width: '58px',
    sort: 'hosts_count',
    isNumber: true,
    cell: ({ workstation }) => amount(workstation.hosts_count ?? 0),
  },
  target: {
    width: '76px',
    sort: 'target_sdk',
    isNumber: true,
    cell: (apk) => number(apk.target_sdk === null ? '' : String(apk.target_sdk)),
  },
  version: { width: 'minmax(44px, 0.7fr)', cell: (apk) => text(apk.version, 40) },
  company: { width: 'minmax(60px, 1.1fr)', sort: 'company', cell: (apk) => text(apk.company, 60) },
  sha256: { width: '104px', cell: (apk) => hash(apk.sha256) },
  md5: { width: '104px', cell: (apk) => hash(apk.md5) },
  size: { width: '72px', sort: 'size', isNumber: true, cell: (apk) => number(formatSize(apk.size)) },
  rating: {
    width: '58px',
    sort: 'rating',
    isNumber: true,
    cell: (apk) => number(apk.rating === 0 ? '' : String(apk.rating)),
  },
  matches: { width: '74px', sort: 'matches_count', isNumber: true, cell: (apk) => amount(apk.matches_count) },
  comments: { width: '80px', sort: 'comments_count', isNumber: true, cell: (apk) => amount(apk.comments_count) },
  votes: { width: '54px', sort: 'votes_count', isNumber: true, cell: (apk) => amount(apk.votes_count) },
  created: { width: '92px', sort: 'created_at', isNumber: true, cell: (apk) => time(apk.created_at) },
  updated: { width: '92px', sort: 'updated_at', isNumber: true, cell: (apk) => time(apk.updated_at) },
};

export const columnNames = Object.keys(columns) as ColumnName[];
const storageKey = 'apk-workstation.columns';
const atFirst: ColumnName[] = ['app', 'risk', 'status', 'version', 'company', 'sha256', 'size', 'created'];

interface CatalogueView {
  chosen: readonly ColumnName[];
  hasFacets: boolean;
  toggle(column: ColumnName): void;
  toggleFacets(): void;
}

function stored(): { chosen: ColumnName[]; hasFacets: boolean } {
  try {
    const view = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as { chosen?: unknown; hasFacets?: unknown };
    const chosen = Array.isArray(view.chosen)
      ? columnNames.filter((name) => (view.chosen as string[]).includes(name))
      : [];
    return { chosen: chosen.length > 0 ? chosen : atFirst, hasFacets: view.hasFacets === true };
  } catch (error) {
    console.info('The chosen columns could not be read.', error);
    return { chosen: atFirst, hasFacets: false };
  }
}

const keep = ({ chosen, hasFacets }: Pick<CatalogueView, 'chosen' | 'hasFacets'>) =>
  localStorage.setItem(storageKey, JSON.stringify({ chosen, hasFacets }));

export const useCatalogueView = create<CatalogueView>((set, get) => ({
  ...stored(),
  toggle: (column) => {
    const { chosen } = get();
    const next = columnNames.filter((name) => (name === column) !== chosen.includes(name));
    // The app stays: a row must say what it is.
    if (column !== 'app') set({ chosen: next });
    keep(get());
  },
  toggleFacets: () => {
    set({ hasFacets: !get().hasFacets });
    keep(get());
  },
}));
