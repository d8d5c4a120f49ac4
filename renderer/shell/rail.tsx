// The navigation at the window's left edge. Knows the pages' addresses only.
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../components/picture/icon.tsx';
import { analystsTexts } from '../pages/analysts/texts.ts';
import { dashboardTexts } from '../pages/dashboard/texts.ts';
import { feedsTexts } from '../pages/feeds/texts.ts';
import { rulesetsTexts } from '../pages/rulesets/texts.ts';
import { texts } from '../texts.ts';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';

/** In the order of a day's work; further screens join here. */
const destinations: { to: string; icon: IconName; label: string }[] = [
  { to: '/catalogue', icon: 'catalogue', label: shellTexts.catalogue },
  { to: '/dashboard', icon: 'dashboard', label: dashboardTexts.title },
  { to: '/jobs', icon: 'jobs', label: shellTexts.jobs },
  { to: '/rulesets', icon: 'rulesets', label: rulesetsTexts.title },
  { to: '/analysts', icon: 'people', label: analystsTexts.title },
  { to: '/feeds', icon: 'feed', label: feedsTexts.title },
];

export function Rail() {
  return (
    <nav className={styles.rail} aria-label={shellTexts.navigation}>
      <div className={styles.mark}>
        <img src="/app/mark.svg" width={28} height={28} alt={texts.productName} />
      </div>
      {destinations.map(({ to, icon, label }) => (
        <NavLink key={to} to={to} className={styles.railLink}>
          <Icon name={icon} size={20} />
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
