// Rulesets, hunts and dry runs, as the screens ask for them. Knows nothing of how they look.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Page } from '../../server/contract/list.ts';
import type { Retrohunt } from '../../server/contract/rules/retrohunt.ts';
import { ask, type BodyOf, type QueryOf } from './client.ts';
import { dismissalsKey } from './dismissal-queries.ts';
import { always, askAnew, queryClient, toldByForm, useAnswer, useChange, useCursorList } from './query-client.ts';

const rulesetKeys = {
  lists: ['rulesets'] as const,
  one: (id: string) => ['ruleset', id] as const,
  starting: ['rulesets', 'starting'] as const,
  hunts: ['retrohunts'] as const,
  dryRun: (id: string) => ['dry-run', id] as const,
};

export type RulesetFilter = Pick<QueryOf<'GET /rulesets/'>, 'is_own' | 'is_public' | 'search' | 'package' | 'status'>;

export const useRulesets = (filter: RulesetFilter) =>
  useCursorList([...rulesetKeys.lists, filter], ({ query, signal }) =>
    ask('GET /rulesets/', { query: { ...query, ...filter }, signal }),
  );

export type RuleOrder = NonNullable<QueryOf<'GET /rule_statistics/'>['ordering']>;

/** Kept with dismissals, which an event renews: each may put a rule into quarantine. */
export const useRuleStatistics = (query: QueryOf<'GET /rule_statistics/'>) =>
  useAnswer([...dismissalsKey, 'rules', query], 'GET /rule_statistics/', { query }, always);

/** The starter rules, and which of them one has. */
export const useStartingRules = () => useAnswer(rulesetKeys.starting, 'GET /yara/starting_rules/', {}, always);

export const useRuleset = (id: string) => useAnswer(rulesetKeys.one(id), 'GET /rulesets/<id>/', { id });

/** Makes a ruleset (no id) or changes one. */
export const useSaveRuleset = () =>
  useMutation({
    mutationFn: ({ id, name, ...body }: BodyOf<'PATCH /rulesets/<id>/'> & { id?: string }) =>
      id === undefined
        ? ask('POST /rulesets/', { body: { ...body, name: name ?? '' } })
        : ask('PATCH /rulesets/<id>/', { id, body: { ...body, name } }),
    onSuccess: (ruleset) => {
      queryClient.setQueryData(rulesetKeys.one(ruleset.id), ruleset);
      void askAnew(rulesetKeys.lists, ['ruleset-list', ruleset.id, 'versions']);
    },
  });

export const useDeleteRuleset = () =>
  useChange((id: string) => ask('DELETE /rulesets/<id>/', { id }), rulesetKeys.lists);

/** Proposes a ruleset as social, or accepts or rejects the proposal. */
export const useSocialChange = (id: string) =>
  useChange(
    (accepted: boolean | null) =>
      accepted === null
        ? ask('POST /rulesets/<id>/promote/', { id })
        : ask('POST /rulesets/<id>/social/', { id, body: { accepted } }),
    rulesetKeys.one(id),
    rulesetKeys.lists,
  );

export const fetchVerdict = (rules: string, signal: AbortSignal) =>
  ask('POST /rulesets/validate/', { body: { rules }, signal });

/** The words of YARA, which stay the same while the server runs. */
export const fetchVocabulary = () =>
  queryClient.fetchQuery({
    queryKey: ['yara-vocabulary'],
    queryFn: () => ask('GET /yara/vocabulary/'),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useRulesetVersions = (id: string) =>
  useCursorList(['ruleset-list', id, 'versions'], (asked) => ask('GET /rulesets/<id>/versions/', { id, ...asked }));
export const useRulesetMatches = (id: string) =>
  useCursorList(['ruleset-list', id, 'matches'], (asked) => ask('GET /rulesets/<id>/matches/', { id, ...asked }));

export const useRulesetVersion = (id: string, version: number | null) =>
  useAnswer(
    ['ruleset-version', id, version],
    'GET /rulesets/<id>/versions/<version>/',
    { id, version: String(version) },
    { enabled: version !== null, staleTime: Number.POSITIVE_INFINITY },
  );

export const useStartDryRun = () =>
  useMutation({
    mutationFn: (body: { rules: string; search?: string; apks?: string[]; known_good?: boolean }) =>
      ask('POST /rulesets/dry_run/', { body }),
    onSuccess: (run) => queryClient.setQueryData(rulesetKeys.dryRun(run.id), run),
    meta: toldByForm,
  });

export const isOver = ({ status }: { status: string }) => status !== 'queued' && status !== 'running';

/** A dry run; asked for anew whenever an event tells of its job (`live.ts`). */
export const useDryRun = (id: string | null) =>
  useAnswer(rulesetKeys.dryRun(id ?? ''), 'GET /dry_runs/<id>/', { id: id ?? '' }, { enabled: id !== null, ...always });

export const useCancelDryRun = () => useChange((id: string) => ask('POST /dry_runs/<id>/cancel/', { id }));

/** The latest of each hunt by events: an older answer that arrives later must not undo it. */
const told = new Map<string, Retrohunt>();

function newerOf(hunt: Retrohunt): Retrohunt {
  const known = told.get(hunt.id);
  if (known === undefined || hunt.finished_at !== null) return hunt;
  return known.finished_at !== null || known.scanned_count > hunt.scanned_count ? known : hunt;
}

/** One's own hunts, newest first. */
export const useHunts = () =>
  useQuery({
    queryKey: rulesetKeys.hunts,
    queryFn: async ({ signal }) => {
      const page = await ask('GET /retrohunts/', { query: { page_size: 50 }, signal });
      return { ...page, results: page.results.map(newerOf) };
    },
    ...always,
  });

export const useStartHunt = (id: string) =>
  useChange(
    (search: string) => ask('POST /rulesets/<id>/retrohunt/', { id, body: search === '' ? {} : { search } }),
    rulesetKeys.hunts,
  );
export const useCancelHunt = () =>
  useChange((id: string) => ask('POST /retrohunts/<id>/cancel/', { id }), rulesetKeys.hunts);

/** What a hunt with the saved rules would take. */
export const useHuntEstimate = (id: string, search: string, isSaved: boolean) =>
  useQuery({
    queryKey: [...rulesetKeys.one(id), 'estimate', search],
    queryFn: ({ signal }) => ask('POST /retrohunts/estimate/', { body: { rulesets: [id], search }, signal }),
    enabled: isSaved,
  });
export const useResumeHunt = () =>
  useChange(async (id: string) => applyHunt(await ask('POST /retrohunts/<id>/resume/', { id })), rulesetKeys.hunts);

/** Brings what an event says of a hunt into the list. */
export function applyHunt(hunt: Retrohunt): void {
  told.set(hunt.id, hunt);
  queryClient.setQueryData<Page<Retrohunt>>(rulesetKeys.hunts, (known) => {
    if (known === undefined) return known;
    const isKnown = known.results.some(({ id }) => id === hunt.id);
    const results = isKnown ? known.results.map((one) => (one.id === hunt.id ? hunt : one)) : [hunt, ...known.results];
    return { ...known, count: known.count + (isKnown ? 0 : 1), results };
  });
  for (const { id } of hunt.rulesets) {
    void askAnew(['ruleset-list', id, 'matches'], ...(isOver(hunt) ? [rulesetKeys.one(id)] : []));
  }
}
