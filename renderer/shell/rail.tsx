// The navigation at the window's left edge. Knows the pages' addresses only.
import { NavLink } from 'react-router';
import { Icon } from '../components/picture/icon.tsx';
import { pages } from '../pages/pages.ts';
import { texts } from '../texts.ts';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';

export function Rail() {
  return (
    <nav className={styles.rail} aria-label={shellTexts.navigation}>
      <div className={styles.mark}>
        <img src="/app/mark.svg" width={28} height={28} alt={texts.productName} />
      </div>
      {pages
        .filter(({ isOnRail }) => isOnRail)
        .map(({ address, icon, title }) => (
          <NavLink key={address} to={address} className={styles.railLink}>
            <Icon name={icon} size={20} />
            {title}
          </NavLink>
        ))}
    </nav>
  );
}
