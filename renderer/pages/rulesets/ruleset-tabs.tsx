// The tabs beside the rules themselves: matches and versions. Knows nothing of the editor.
import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { RulesetDetail } from '../../../server/contract/rules/ruleset.ts';
import { useRulesetList, useRulesetVersion } from '../../api/ruleset-queries.ts';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { MatchedRules } from './matched-rules.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';

const VersionDiff = lazy(() => import('./version-diff.tsx'));

export function MatchesTab({ id }: { id: string }) {
  const list = useRulesetList(id, 'matches');
  if (list.isPending) return <LoadingPanel />;
  if (list.isError) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />;
  const matches = list.data.pages.flatMap(({ results }) => results);
  if (matches.length === 0) {
    return (
      <StatePanel icon="rulesets" title={words.noMatches}>
        {words.noMatchesText}
      </StatePanel>
    );
  }
  return (
    <>
      {matches.map(({ id: match, apk, rules_matched, updated_at }) => (
        <div key={match} className={styles.line} data-testid="ruleset-match">
          <time className="tabular" dateTime={updated_at}>
            {formatFull(updated_at)}
          </time>
          <span className={styles.grow}>
            <Link to={`/apks/${apk.sha256}/matches`}>
              <HostileText value={apk.app || apk.package_name || apk.sha256} max={100} isFixed />
            </Link>{' '}
            <span className={styles.soft}>
              <HostileText value={apk.package_name} max={100} mono isFixed />
            </span>
            <MatchedRules sha256={apk.sha256} rules={rules_matched} />
          </span>
        </div>
      ))}
      {list.hasNextPage && (
        <Button variant="default" mt="sm" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </>
  );
}

export function VersionsTab({ ruleset, onRestore }: { ruleset: RulesetDetail; onRestore?: (rules: string) => void }) {
  const list = useRulesetList(ruleset.id, 'versions');
  const [parameters, setParameters] = useSearchParams();
  const chosen = Number(parameters.get('version')) || null;
  const version = useRulesetVersion(ruleset.id, chosen);
  if (list.isPending) return <LoadingPanel />;
  if (list.isError) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      {list.data.pages
        .flatMap(({ results }) => results)
        .map((one) => (
          <div key={one.version} className={styles.line} data-testid="version">
            <time className="tabular" dateTime={one.created_at}>
              {formatFull(one.created_at)}
            </time>
            <span className={styles.grow}>
              {words.version(one.version)} · <HostileText value={one.author} max={60} isFixed /> ·{' '}
              {words.characters(one.length)} {one.is_current && <Chip tone="good">{words.current}</Chip>}
            </span>
            {!one.is_current && (
              <Button variant="default" onClick={() => setParameters({ version: String(one.version) })}>
                {words.compare}
              </Button>
            )}
          </div>
        ))}
      {list.hasNextPage && (
        <Button variant="default" mt="sm" onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
      {version.data !== undefined && (
        <section aria-label={words.diff(version.data.version)}>
          <div className={styles.actions}>
            <h2>{words.diff(version.data.version)}</h2>
            {onRestore !== undefined && (
              <Button variant="default" onClick={() => onRestore(version.data.rules)}>
                {words.restore}
              </Button>
            )}
          </div>
          <Suspense fallback={<LoadingPanel />}>
            <VersionDiff before={version.data.rules} after={ruleset.rules} label={words.diff(version.data.version)} />
          </Suspense>
        </section>
      )}
    </>
  );
}
