// The navigation at the window's left edge. Knows the pages' addresses only.
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../components/icon.tsx';
import { texts } from '../texts.ts';
import styles from './shell.module.css';

/** In the order of a day's work; further screens join here. */
const destinations: { to: string; icon: IconName; label: string }[] = [
  { to: '/catalogue', icon: 'catalogue', label: texts.shell.catalogue },
  { to: '/dashboard', icon: 'dashboard', label: texts.dashboard.title },
  { to: '/jobs', icon: 'jobs', label: texts.shell.jobs },
  { to: '/rulesets', icon: 'rulesets', label: texts.rulesets.title },
  { to: '/analysts', icon: 'people', label: texts.analysts.title },
  { to: '/feeds', icon: 'feed', label: texts.feeds.title },
];

export function Rail() {
  return (
    <nav className={styles.rail} aria-label={texts.shell.navigation}>
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
