// What records of the older API embed: analysts in comments and rulesets, by as few queries as there are kinds.

import type { LegacyComment, LegacyRuleset } from '../../../contract/legacy.ts';
import type { Analyst } from '../../../contract/people/analyst.ts';
import type { RulesetRecord } from '../../../services/rules/rulesets.ts';
import type { Services } from '../../../services/services.ts';
import type { CommentRecord } from '../../../services/triage/comments.ts';
import { presentAnalyst } from '../../presenters/account.ts';
import { presentLegacyComment } from '../../presenters/legacy/comment.ts';
import { presentLegacyRuleset } from '../../presenters/legacy/ruleset.ts';

/** The row number that stands in an address; null where it is none. */
export const integerId = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** Analysts by the ids of their accounts. */
export async function legacyAnalysts(
  { accounts, links, profiles }: Services,
  ids: readonly number[],
): Promise<Map<number, Analyst>> {
  const found = await accounts.findByIds(ids);
  const shown = await profiles.of([...found.values()]);
  return new Map(shown.map((profile) => [profile.account.id, presentAnalyst(links, profile)]));
}

export async function legacyComments(services: Services, comments: readonly CommentRecord[]): Promise<LegacyComment[]> {
  const authors = await legacyAnalysts(
    services,
    comments.map(({ authorId }) => authorId),
  );
  const apks = await services.catalogue.findByIds(comments.flatMap(({ apkId }) => (apkId === null ? [] : [apkId])));
  return comments.map((comment) =>
    presentLegacyComment(comment, authors.get(comment.authorId)!, apks.get(comment.apkId ?? 0)?.sha256 ?? null),
  );
}

export async function legacyRulesets(services: Services, rulesets: readonly RulesetRecord[]): Promise<LegacyRuleset[]> {
  const analysts = await legacyAnalysts(
    services,
    rulesets.map(({ authorId }) => authorId),
  );
  const ratings = await services.rulesetVotes.ratings(rulesets);
  return Promise.all(
    rulesets.map(async (ruleset) =>
      presentLegacyRuleset(ruleset, {
        analyst: analysts.get(ruleset.authorId)!,
        rules: await services.rulesets.readRules(ruleset),
        rating: ratings.get(ruleset.id) ?? 0,
      }),
    ),
  );
}
