// What the members of a family have in common, or in what they differ, part by part; each leads to the APKs that have it.
// Knows names, not reports.
import { Link } from 'react-router';
import { type FamilyDetail, type FamilyPart, familyParts } from '../../../server/contract/catalogue/family.ts';
import { findingText } from '../../../server/contract/findings/finding-catalogue.ts';
import { fieldSearch, searchAddress } from '../../components/place/catalogue-address.ts';
import { formatCount } from '../../components/text/counted.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './families.module.css';
import { familyTexts as words } from './texts.ts';

/** By what the search line finds them. */
const fields: Record<Exclude<FamilyPart, 'hosts'>, string> = {
  packages: 'package',
  certificates: 'cert',
  permissions: 'permission',
  urls: 'url',
  strings: 'content',
  trackers: 'tracker',
  libraries: 'library',
  activities: 'activity',
  services: 'service',
  receivers: 'receiver',
  providers: 'provider',
  apis: 'api',
  findings: 'finding',
  techniques: 'technique',
};

const fieldOf = (part: FamilyPart, name: string) =>
  part === 'hosts' ? (/^[\d.]+$|:/.test(name) ? 'ip' : 'domain') : fields[part];

function Trait({ part, name, count }: { part: FamilyPart; name: string; count: number | null }) {
  const search = fieldSearch(fieldOf(part, name), name);
  const isWord = part === 'findings' || part === 'trackers' || part === 'libraries';
  const text = (
    <HostileText value={part === 'findings' ? findingText(name).title : name} max={160} mono={!isWord} isFixed />
  );
  return (
    <li>
      {search === null ? text : <Link to={searchAddress(search)}>{text}</Link>}
      {count !== null && <span className={styles.soft}> {words.of(count)}</span>}
    </li>
  );
}

export function FamilyTraits({ family, of }: { family: FamilyDetail; of: 'shared' | 'varying' }) {
  const parts = familyParts.filter((part) => family.traits[part][`${of}_count`] > 0);
  const { methods } = family;
  return (
    <div className={styles.traits} data-testid={`family-${of}`}>
      <p className={styles.soft}>
        {words.compared(family.compared_count, family.apks_count)}{' '}
        {of === 'shared' &&
          (methods === null
            ? words.noMethods
            : words.methods(methods.shared, methods.least, methods.most, methods.is_estimated))}
      </p>
      {parts.length === 0 && <p>{of === 'shared' ? words.nothingShared : words.nothingVaries}</p>}
      {parts.map((part) => {
        const traits = family.traits[part];
        const shown = of === 'shared' ? traits.shared.map((name) => ({ name, apks_count: null })) : traits.varying;
        const count = traits[`${of}_count`];
        return (
          <section key={part} className={styles.part} aria-label={words.parts[part]}>
            <h2>
              {words.parts[part]} <span className={`${styles.soft} tabular`}>{formatCount(count)}</span>
            </h2>
            <ul>
              {shown.map(({ name, apks_count }) => (
                <Trait key={name} part={part} name={name} count={apks_count} />
              ))}
              {count > shown.length && <li className={styles.soft}>{words.more(count - shown.length)}</li>}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
