// The tabs beside the rules themselves: matches and versions. Knows nothing of the editor.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { lazy, type RefObject, Suspense } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { RulesetDetail } from '../../../server/contract/rules/ruleset.ts';
import { useRulesetMatches, useRulesetVersion, useRulesetVersions } from '../../api/ruleset-queries.ts';
import { IndicatorMenu } from '../../components/export/indicator-menu.tsx';
import { LoadingPanel, QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { MatchList } from './match-list.tsx';
import styles from './rulesets.module.css';
import { rulesetsTexts as words } from './texts.ts';
import type { YaraEditorHandle } from './yara-editor.tsx';

const VersionDiff = lazy(() => import('./version-diff.tsx'));

export function MatchesTab({ id }: { id: string }) {
  const list = useRulesetMatches(id);
  if (!list.isSuccess) return <QueryState query={list} />;
  const matches = list.data.items;
  if (matches.length === 0) {
    return (
      <StatePanel icon="rulesets" title={words.noMatches}>
        {words.noMatchesText}
      </StatePanel>
    );
  }
  return (
    <>
      <MatchList
        fileName="matches.csv"
        testId="ruleset-match"
        part="/matches"
        beside={<IndicatorMenu of={{ ruleset: id }} fileName="ruleset_indicators" look="compact" />}
        matches={matches.map(({ apk, rules_matched, updated_at }) => ({
          apk,
          rules: rules_matched,
          before: (
            <time className="tabular" dateTime={updated_at}>
              {formatFull(updated_at)}
            </time>
          ),
        }))}
      />
      <MoreButton list={list} />
    </>
  );
}

interface VersionsTabProps {
  ruleset: RulesetDetail;
  /** A version is restored into it; null: it can only be read. */
  editor: RefObject<YaraEditorHandle | null> | null;
}

export function VersionsTab({ ruleset, editor }: VersionsTabProps) {
  const navigate = useNavigate();
  const restore = (rules: string) => {
    editor?.current?.setText(rules);
    notifications.show({ message: words.restored });
    void navigate(`/rulesets/${ruleset.id}`, { replace: true });
  };
  const list = useRulesetVersions(ruleset.id);
  const [parameters, setParameters] = useSearchParams();
  const chosen = Number(parameters.get('version')) || null;
  const version = useRulesetVersion(ruleset.id, chosen);
  if (!list.isSuccess) return <QueryState query={list} />;
  return (
    <>
      {list.data.items.map((one) => (
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
      <MoreButton list={list} />
      {version.data !== undefined && (
        <section aria-label={words.diff(version.data.version)}>
          <div className={styles.actions}>
            <h2>{words.diff(version.data.version)}</h2>
            {editor !== null && (
              <Button variant="default" onClick={() => restore(version.data.rules)}>
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
