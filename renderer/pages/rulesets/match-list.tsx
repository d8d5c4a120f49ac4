// APKs that rules match, with a filter and an export. Knows matches, not what ran the rules.
import { type ReactNode, useCallback } from 'react';
import type { ApkReference } from '../../../server/contract/catalogue/apk.ts';
import type { MatchedRule } from '../../components/place/matched-rules.ts';
import { ApkLink } from '../../components/place/named-link.tsx';
import { FilterBar } from '../../components/table/filter-bar.tsx';
import { SaveCsv } from '../../components/table/save-csv.tsx';
import { useFilter } from '../../components/table/use-filter.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { MatchedRules } from './matched-rules.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

export interface ApkMatch {
  apk: ApkReference;
  rules: readonly MatchedRule[];
  /** Before the app's name, and beside it. */
  before?: ReactNode;
  beside?: ReactNode;
}

const namesOf = ({ rules }: ApkMatch) => [...new Set(rules.map(({ name }) => name))];
const textOf = (match: ApkMatch) => {
  const { app, package_name, version, sha256 } = match.apk;
  return [app, package_name, version, sha256, ...namesOf(match)].join('\n');
};

interface MatchListProps {
  matches: readonly ApkMatch[];
  fileName: string;
  /** Of each line. */
  testId: string;
  /** Page of an APK that its name leads to. */
  part?: string;
  /** Beside the filter. */
  beside?: ReactNode;
}

export function MatchList({ matches, fileName, testId, part = '', beside: besideFilter }: MatchListProps) {
  const list = useFilter(matches, useCallback(textOf, []));
  return (
    <>
      <FilterBar list={list} label={words.filterMatches}>
        <SaveCsv
          fileName={fileName}
          head={words.matchExport}
          items={list.shown}
          row={(match) => {
            const { app, package_name, version, sha256 } = match.apk;
            return [app, package_name, version, sha256, namesOf(match).join(' ')];
          }}
        />
        {besideFilter}
      </FilterBar>
      {list.shown.map(({ apk, rules, before, beside }) => (
        <div key={apk.sha256} className={styles.line} data-testid={testId}>
          {before}
          <span className={styles.grow}>
            <ApkLink apk={apk} part={part} title={apk.sha256} /> {beside}
            <span className={styles.soft}>
              <HostileText value={apk.version} max={40} isFixed /> <code>{apk.sha256.slice(0, 12)}</code>{' '}
              <HostileText value={apk.package_name} max={100} mono isFixed />
            </span>
            <MatchedRules sha256={apk.sha256} rules={rules} />
          </span>
        </div>
      ))}
    </>
  );
}
