// One's own account in sections. Knows the sections, not what they hold.
import { Navigate, useParams } from 'react-router';
import { useAccount } from '../../api/queries.ts';
import { SectionPage } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { SessionsSection, TokensSection } from './access-sections.tsx';
import { NoticesSection } from './notices-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { accountTexts as words } from './texts.ts';
import { UsageSection } from './usage-section.tsx';

const sections = Object.entries(words.sections).map(([id, label]) => ({ id, label }));

export function Component() {
  const { section = '' } = useParams();
  const account = useAccount();
  if (!(section in words.sections)) return <Navigate to="/account/profile" replace />;
  if (!account.isSuccess) return <QueryState query={account} isPage />;
  return (
    <SectionPage title={words.title} address="/account" sections={sections}>
      {section === 'profile' && <ProfileSection account={account.data} />}
      {section === 'notices' && <NoticesSection account={account.data} />}
      {section === 'tokens' && <TokensSection />}
      {section === 'second-factor' && <SecondFactorSection account={account.data} />}
      {section === 'sessions' && <SessionsSection />}
      {section === 'usage' && <UsageSection account={account.data} />}
    </SectionPage>
  );
}
