// Rulesets that match an APK, each rule with the bytes that hit. Knows matches, not rules' text.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Match } from '../../../../server/contract/rules/match.ts';
import { matchesKey, useMatches, useRefreshOn } from '../../../api/apk-queries.ts';
import { useHeldDismissals } from '../../../api/dismissal-queries.ts';
import { useRulesets } from '../../../api/ruleset-queries.ts';
import { DismissDialog } from '../../../components/dismissal/dismiss-dialog.tsx';
import { DismissedFold } from '../../../components/dismissal/dismissed-fold.tsx';
import { parted } from '../../../components/dismissal/parted.ts';
import { dismissalTexts } from '../../../components/dismissal/texts.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { type MatchedRule, type RuleWithFiles, rulesWithFiles } from '../../../components/place/matched-rules.ts';
import { bytesAddress, codeAtAddress } from '../../../components/place/place-address.ts';
import { StartAnalysis } from '../../../components/status/start-analysis.tsx';
import { MoreButton } from '../../../components/table/more-button.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatFull } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { rulesetsTexts } from '../../rulesets/texts.ts';
import { communityTexts } from '../community/texts.ts';
import { HostileFacts } from '../hostile-facts.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import styles from './matches.module.css';
import { matchesTexts } from './texts.ts';

/** Rules, and strings of one that are asked for, that are drawn at most. */
const maxShown = 60;
/** Strings of a rule that are drawn at first: the next rule must not be pages away. */
const fewStrings = 8;

function Rule({ sha256, rulesetId, rule, files, moreFiles }: RuleWithFiles & { sha256: string; rulesetId: string }) {
  const [isDismissing, setDismissing] = useState(false);
  const [stringsShown, showStrings] = useState(fewStrings);
  const code = (offset: number) => {
    const address = codeAtAddress(sha256, rule.file, offset);
    return (
      address !== null && (
        <Link to={address} aria-label={`${matchesTexts.openCode}: 0x${offset.toString(16)}`}>
          {matchesTexts.code}
        </Link>
      )
    );
  };
  const hidden = Math.min(maxShown, rule.strings.length) - stringsShown;
  return (
    <section className={styles.rule}>
      <h3>
        <HostileText value={rule.name} max={120} mono />
        {rule.tags.slice(0, maxShown).map((tag) => (
          <Chip key={tag} tone="info">
            <HostileText value={tag} max={40} isFixed />
          </Chip>
        ))}
        <span className={shared.note}>
          <HostileText value={rulesetsTexts.inFiles(files, moreFiles)} max={480} isFixed />
        </span>
        <Button size="compact-xs" variant="default" onClick={() => setDismissing(true)}>
          {dismissalTexts.dismiss}
        </Button>
      </h3>
      {Object.keys(rule.metadata).length > 0 && <HostileFacts facts={rule.metadata} max={maxShown} />}
      {rule.strings.length > 0 && (
        <table className={`${shared.table} ${shared.hits}`}>
          <caption className={styles.caption}>{matchesTexts.strings(rule.strings_count, rule.strings.length)}</caption>
          <tbody>
            {rule.strings.slice(0, stringsShown).map((string, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a string hits many times
              <tr key={index}>
                <th scope="row">
                  <HostileText value={string.identifier} max={60} mono isFixed />
                </th>
                <td className="tabular">
                  <Link
                    to={bytesAddress(sha256, rule.file, string.offset, string.length)}
                    aria-label={`${matchesTexts.open}: 0x${string.offset.toString(16)}`}
                  >
                    0x{string.offset.toString(16)}
                  </Link>
                </td>
                <td>{code(string.offset)}</td>
                <td>
                  <HostileText value={string.data} max={200} mono />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hidden > 0 && (
        <button type="button" className={shared.linkButton} onClick={() => showStrings(maxShown)}>
          {matchesTexts.moreStrings(hidden)}
        </button>
      )}
      {isDismissing && (
        <DismissDialog
          sha256={sha256}
          about={{ ruleset: rulesetId, rule: rule.name }}
          name={rule.name}
          places={files}
          onClose={() => setDismissing(false)}
        />
      )}
    </section>
  );
}

/** The rules of a match that stand, and those that were dismissed, folded. */
function Rules({ sha256, match }: { sha256: string; match: Match }) {
  const { data: held } = useHeldDismissals(sha256);
  const { standing, dismissed } = parted(match.rules_matched, held?.results ?? [], ({ name, file }) => ({
    ...{ ruleset: match.ruleset.id, rule: name, where: file },
  }));
  const rules = rulesWithFiles(standing);
  const lines = [...dismissed].map(([dismissal, some]) => ({ dismissal, name: some[0]!.name, times: some.length }));
  const namesOf = (some: readonly MatchedRule[]) => new Set(some.map(({ name }) => name)).size;
  return (
    <>
      {rules.slice(0, maxShown).map((shown, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rules of a match never change places
        <Rule key={index} sha256={sha256} rulesetId={match.ruleset.id} {...shown} />
      ))}
      {rules.length > maxShown && texts.filter.rest(rules.length - maxShown)}
      <DismissedFold count={namesOf([...dismissed.values()].flat())} lines={lines} />
    </>
  );
}

export function Component({ apk: { sha256, matches_count: count } }: ApkPartProps) {
  useRefreshOn(count, matchesKey(sha256));
  const matches = useMatches(sha256);
  const rulesets = useRulesets({ status: 'enabled' });
  if (!matches.isSuccess || rulesets.isPending) return <QueryState query={matches} />;
  const list = matches.data.items;
  if (list.length === 0) {
    if (rulesets.data?.count === 0) {
      return (
        <StatePanel
          icon="rulesets"
          title={matchesTexts.inactive}
          action={
            <Button variant="default" component={Link} to="/rulesets">
              {matchesTexts.toRulesets}
            </Button>
          }
        >
          {matchesTexts.inactiveText}
        </StatePanel>
      );
    }
    return (
      <StatePanel
        icon="rulesets"
        title={matchesTexts.none}
        action={<StartAnalysis sha256={sha256} kind="yara" isAgain={false} />}
      >
        {matchesTexts.noneText}
      </StatePanel>
    );
  }
  return (
    <div className={shared.padded}>
      {list.map((match) => (
        <section key={match.id} className={shared.card} data-testid="match">
          <h2>
            <Link to={`/rulesets/${match.ruleset.id}`}>
              <HostileText value={match.ruleset.name} max={120} isFixed />
            </Link>
            <span className={shared.note}>{matchesTexts.by(match.ruleset.author)}</span>
            <time className={shared.note} dateTime={match.updated_at}>
              {formatFull(match.updated_at)}
            </time>
          </h2>
          <Rules sha256={sha256} match={match} />
        </section>
      ))}
      <MoreButton list={matches} label={communityTexts.earlier} mt={0} />
    </div>
  );
}
