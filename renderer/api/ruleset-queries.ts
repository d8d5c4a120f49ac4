// Rulesets, hunts and dry runs, as the screens ask for them. Knows nothing of how they look.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../server/contract/list.ts';
import type { Match } from '../../server/contract/rules/match.ts';
import type { Retrohunt } from '../../server/contract/rules/retrohunt.ts';
import type { RulesetVersion } from '../../server/contract/rules/ruleset-version.ts';
import { ask, type BodyOf, type QueryOf } from './client.ts';
import { cursorOf, queryClient } from './queries.ts';

const pageSize = 50;

const rulesetKeys = {
  lists: ['rulesets'] as const,
  one: (id: string) => ['ruleset', id] as const,
  starting: ['rulesets', 'starting'] as const,
  hunts: ['retrohunts'] as const,
  dryRun: (id: string) => ['dry-run', id] as const,
};

export type RulesetFilter = Pick<QueryOf<'GET /rulesets/'>, 'is_own' | 'is_public' | 'name__icontains' | 'status'>;

export const fetchRulesetPage = (filter: RulesetFilter, cursor: string | undefined, signal?: AbortSignal) =>
  ask('GET /rulesets/', { query: { cursor, page_size: pageSize, ...filter }, signal });

export const useRulesets = (filter: RulesetFilter) =>
  useInfiniteQuery({
    queryKey: [...rulesetKeys.lists, filter],
    queryFn: ({ pageParam, signal }) => fetchRulesetPage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

/** The starter rules, and which of them one has. */
export const useStartingRules = () =>
  useQuery({
    queryKey: rulesetKeys.starting,
    queryFn: ({ signal }) => ask('GET /yara/starting_rules/', { signal }),
    staleTime: 0,
  });

export const useRuleset = (id: string) =>
  useQuery({ queryKey: rulesetKeys.one(id), queryFn: ({ signal }) => ask('GET /rulesets/<id>/', { id, signal }) });

/** Makes a ruleset (no id) or changes one. */
export function useSaveRuleset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name, ...body }: BodyOf<'PATCH /rulesets/<id>/'> & { id?: string }) =>
      id === undefined
        ? ask('POST /rulesets/', { body: { ...body, name: name ?? '' } })
        : ask('PATCH /rulesets/<id>/', { id, body: { ...body, name } }),
    onSuccess: (ruleset) => {
      client.setQueryData(rulesetKeys.one(ruleset.id), ruleset);
      void client.invalidateQueries({ queryKey: rulesetKeys.lists });
      void client.invalidateQueries({ queryKey: ['ruleset-list', ruleset.id, 'versions'] });
    },
  });
}

export function useDeleteRuleset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('DELETE /rulesets/<id>/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesetKeys.lists }),
  });
}

/** Proposes a ruleset as social, or accepts or rejects the proposal. */
export function useSocialChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accepted: boolean | null) =>
      accepted === null
        ? ask('POST /rulesets/<id>/promote/', { id })
        : ask('POST /rulesets/<id>/social/', { id, body: { accepted } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: rulesetKeys.one(id) });
      void client.invalidateQueries({ queryKey: rulesetKeys.lists });
    },
  });
}

export const fetchVerdict = (rules: string, signal: AbortSignal) =>
  ask('POST /rulesets/validate/', { body: { rules }, signal });

/** The words of YARA, which stay the same while the server runs. */
export const fetchVocabulary = () =>
  queryClient.fetchQuery({
    queryKey: ['yara-vocabulary'],
    queryFn: () => ask('GET /yara/vocabulary/'),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface RulesetLists {
  versions: RulesetVersion;
  matches: Match;
}

interface RulesetListAsked {
  id: string;
  query: { cursor?: string | undefined; page_size: number };
  signal: AbortSignal;
}

const rulesetLists: {
  [Name in keyof RulesetLists]: (asked: RulesetListAsked) => Promise<Page<RulesetLists[Name]>>;
} = {
  versions: (asked) => ask('GET /rulesets/<id>/versions/', asked),
  matches: (asked) => ask('GET /rulesets/<id>/matches/', asked),
};

export const useRulesetList = <Name extends keyof RulesetLists>(id: string, list: Name) =>
  useInfiniteQuery({
    queryKey: ['ruleset-list', id, list],
    queryFn: ({ pageParam, signal }) =>
      rulesetLists[list]({ id, query: { cursor: pageParam, page_size: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

export const useRulesetVersion = (id: string, version: number | null) =>
  useQuery({
    queryKey: ['ruleset-version', id, version],
    queryFn: ({ signal }) => ask('GET /rulesets/<id>/versions/<version>/', { id, version: String(version), signal }),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useStartDryRun = () =>
  useMutation({
    mutationFn: (body: { rules: string; search?: string; apks?: string[]; known_good?: boolean }) =>
      ask('POST /rulesets/dry_run/', { body }),
    onSuccess: (run) => queryClient.setQueryData(rulesetKeys.dryRun(run.id), run),
  });

export const isOver = ({ status }: { status: string }) => status !== 'queued' && status !== 'running';

/** A dry run; asked for anew whenever an event tells of its job (`live.ts`). */
export const useDryRun = (id: string | null) =>
  useQuery({
    queryKey: rulesetKeys.dryRun(id ?? ''),
    queryFn: ({ signal }) => ask('GET /dry_runs/<id>/', { id: id ?? '', signal }),
    enabled: id !== null,
    staleTime: 0,
  });

export const useCancelDryRun = () =>
  useMutation({
    mutationFn: (id: string) => ask('POST /dry_runs/<id>/cancel/', { id }),
  });

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
    staleTime: 0,
  });

export function useStartHunt(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (search: string) =>
      ask('POST /rulesets/<id>/retrohunt/', { id, body: search === '' ? {} : { search } }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesetKeys.hunts }),
  });
}

export const useCancelHunt = () =>
  useMutation({
    mutationFn: (id: string) => ask('POST /retrohunts/<id>/cancel/', { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: rulesetKeys.hunts }),
  });

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
    void queryClient.invalidateQueries({ queryKey: ['ruleset-list', id, 'matches'] });
    if (isOver(hunt)) void queryClient.invalidateQueries({ queryKey: rulesetKeys.one(id) });
  }
}
