// The owner's page: accounts, sharing, analysis, mail, limits, storage, audit log. Each section is a file of its own.
import { Navigate, useParams } from 'react-router';
import { useAccount, useMay } from '../../api/queries.ts';
import { SectionPage } from '../../components/page/section-page.tsx';
import { LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { AuditSection } from './audit-section.tsx';
import { CollectionsSection } from './collections-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { ImportsSection } from './imports-section.tsx';
import { IsolationSection } from './isolation-section.tsx';
import { KnownListsSection } from './known-lists-section.tsx';
import { LibrariesSection } from './libraries-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { ReportsSection } from './reports-section.tsx';
import { AnalysisSection, AntivirusSection, MailSection, SessionsSection } from './settings-sections.tsx';
import { SharingSection } from './sharing-section.tsx';
import { SignersSection } from './signers-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { administrationTexts as words } from './texts.ts';
import { WatchedFoldersSection } from './watched-folders-section.tsx';
import { WorkersSection } from './workers-section.tsx';

const contents: Record<keyof typeof words.sections, () => React.ReactNode> = {
  accounts: AccountsSection,
  sharing: SharingSection,
  sessions: SessionsSection,
  analysis: AnalysisSection,
  isolation: IsolationSection,
  workers: WorkersSection,
  antivirus: AntivirusSection,
  devices: DevicesSection,
  imports: ImportsSection,
  collections: CollectionsSection,
  folders: WatchedFoldersSection,
  mail: MailSection,
  reports: ReportsSection,
  signers: SignersSection,
  lists: KnownListsSection,
  libraries: LibrariesSection,
  limits: LimitsSection,
  storage: StorageSection,
  audit: AuditSection,
};
const sections = Object.entries(words.sections).map(([id, label]) => ({ id, label }));

export function Component() {
  const { section = '' } = useParams();
  const account = useAccount();
  const may = useMay();
  if (!(section in contents)) return <Navigate to="/administration/accounts" replace />;
  if (account.isPending) return <LoadingPanel />;
  if (!may('settings.manage')) {
    return (
      <StatePanel icon="key" title={words.title} isPage>
        {words.forbidden}
      </StatePanel>
    );
  }
  const Content = contents[section as keyof typeof contents];
  return (
    <SectionPage title={words.title} address="/administration" sections={sections}>
      <Content />
    </SectionPage>
  );
}
