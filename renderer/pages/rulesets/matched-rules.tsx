// The rules of a ruleset that match one APK, each with where its strings hit. Knows matches, not what ran the rules.
import { Link } from 'react-router';
import { type MatchedRule, rulesWithFiles } from '../../components/place/matched-rules.ts';
import { bytesAddress } from '../../components/place/place-address.ts';
import { Chip } from '../../components/text/chip.tsx';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import styles from './rulesets.module.css';
import { rulesetsTexts } from './texts.ts';

/** Rules of one match, and strings of one rule, that are drawn at once. */
const maxShown = 20;

export function MatchedRules({ sha256, rules }: { sha256: string; rules: readonly MatchedRule[] }) {
  const found = rulesWithFiles(rules);
  return (
    <>
      {found.slice(0, maxShown).map(({ rule, files, moreFiles }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rules of a match never change places
        <div key={index}>
          <Chip tone="info">
            <HostileText value={rule.name} max={80} isFixed />
          </Chip>{' '}
          <span className={styles.soft}>
            <HostileText value={rulesetsTexts.inFiles(files, moreFiles)} max={240} isFixed />
          </span>{' '}
          {rule.strings.slice(0, maxShown).map((string, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a string hits many times
            <span key={at}>
              <Link to={bytesAddress(sha256, rule.file, string.offset, string.length)}>
                <HostileText value={`${string.identifier} 0x${string.offset.toString(16)}`} mono isFixed />
              </Link>{' '}
            </span>
          ))}
        </div>
      ))}
      {found.length > maxShown && <span className={styles.soft}>{texts.filter.rest(found.length - maxShown)}</span>}
    </>
  );
}
