// Rulesets, hunts and dry runs, as the screens ask for them. Knows nothing of how they look.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DryRun, RulesVerdict } from '../../server/contract/dry-run.ts';
import type { Page } from '../../server/contract/list.ts';
import type { Match } from '../../server/contract/match.ts';
import type { Retrohunt } from '../../server/contract/retrohunt.ts';
import type { Ruleset, RulesetChangesBody, RulesetDetail } from '../../server/contract/ruleset.ts';
import type { RulesetVersion, RulesetVersionDetail } from '../../server/contract/ruleset-version.ts';
import type { StartingRules } from '../../server/contract/starting-rules.ts';
import type { YaraVocabulary } from '../../server/contract/yara-vocabulary.ts';
import { request } from './client.ts';
import type { Thread } from './comment-queries.ts';
import { cursorOf, queryClient } from './queries.ts';

const path = (id: string, rest = '') => `/rulesets/${encodeURIComponent(id)}/${rest}`;
const pageSize = 50;

const rulesetKeys = {
  lists: ['rulesets'] as const,
  one: (id: string) => ['ruleset', id] as const,
  starting: ['rulesets', 'starting'] as const,
  hunts: ['retrohunts'] as const,
  dryRun: (id: string) => ['dry-run', id] as const,
};

export type RulesetFilter = { is_own?: 'true'; is_public?: 'true'; name__icontains?: string; status?: string };

export const fetchRulesetPage = (filter: RulesetFilter, cursor: string | undefined, signal?: AbortSignal) =>
  request<Page<Ruleset>>('/rulesets/', {
    query: { cursor, page_size: pageSize, ...filter },
    ...(signal === undefined ? {} : { signal }),
  });

export const useRulesets = (filter: RulesetFilter) =>
  useInfiniteQuery({
    queryKey: [...rulesetKeys.lists, filter],
    queryFn: ({ pageParam, signal }) => fetchRulesetPage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

/** What comes with the workstation, and which of it one has. */
export const useStartingRules = () =>
  useQuery({
    queryKey: rulesetKeys.starting,
    queryFn: ({ signal }) => request<StartingRules[]>('/yara/starting_rules/', { signal }),
    staleTime: 0,
  });

export const useRuleset = (id: string) =>
  useQuery({ queryKey: rulesetKeys.one(id), queryFn: ({ signal }) => request<RulesetDetail>(path(id), { signal }) });

/** Makes a ruleset (no id) or changes one. */
export function useSaveRuleset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: RulesetChangesBody & { id?: string }) =>
      id === undefined
        ? request<RulesetDetail>('/rulesets/', { method: 'POST', body })
        : request<RulesetDetail>(path(id), { method: 'PATCH', body }),
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
    mutationFn: (id: string) => request<void>(path(id), { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesetKeys.lists }),
  });
}

/** Asks for a ruleset to be social, or answers its author. */
export function useSocialChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accepted: boolean | null) =>
      accepted === null
        ? request<Ruleset>(path(id, 'promote/'), { method: 'POST' })
        : request<Ruleset>(path(id, 'social/'), { method: 'POST', body: { accepted } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: rulesetKeys.one(id) });
      void client.invalidateQueries({ queryKey: rulesetKeys.lists });
    },
  });
}

export const fetchVerdict = (rules: string, signal: AbortSignal) =>
  request<RulesVerdict>('/rulesets/validate/', { method: 'POST', body: { rules }, signal });

/** The words of YARA, which stay the same while the server runs. */
export const fetchVocabulary = () =>
  queryClient.fetchQuery({
    queryKey: ['yara-vocabulary'],
    queryFn: () => request<YaraVocabulary>('/yara/vocabulary/'),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface RulesetLists {
  versions: RulesetVersion;
  matches: Match;
}

export const useRulesetList = <Name extends keyof RulesetLists>(id: string, list: Name) =>
  useInfiniteQuery({
    queryKey: ['ruleset-list', id, list],
    queryFn: ({ pageParam, signal }) =>
      request<Page<RulesetLists[Name]>>(path(id, `${list}/`), {
        query: { cursor: pageParam, page_size: pageSize },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });

export const useRulesetVersion = (id: string, version: number | null) =>
  useQuery({
    queryKey: ['ruleset-version', id, version],
    queryFn: ({ signal }) => request<RulesetVersionDetail>(path(id, `versions/${version}/`), { signal }),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The comments on a ruleset, whose record counts them. */
export const rulesetThread = (id: string): Thread => ({ path: path(id, 'comments/'), record: rulesetKeys.one(id) });

export const useStartDryRun = () =>
  useMutation({
    mutationFn: (body: { rules: string; search?: string; apks?: string[]; known_good?: boolean }) =>
      request<DryRun>('/rulesets/dry_run/', { method: 'POST', body }),
    onSuccess: (run) => queryClient.setQueryData(rulesetKeys.dryRun(run.id), run),
  });

export const isOver = ({ status }: { status: string }) => status !== 'queued' && status !== 'running';

/** A dry run; asked for anew whenever an event tells of its job (`live.ts`). */
export const useDryRun = (id: string | null) =>
  useQuery({
    queryKey: rulesetKeys.dryRun(id ?? ''),
    queryFn: ({ signal }) => request<DryRun>(`/dry_runs/${encodeURIComponent(id ?? '')}/`, { signal }),
    enabled: id !== null,
    staleTime: 0,
  });

export const useCancelDryRun = () =>
  useMutation({
    mutationFn: (id: string) => request<unknown>(`/dry_runs/${encodeURIComponent(id)}/cancel/`, { method: 'POST' }),
  });

/** What events have told of hunts: an answer that was on its way meanwhile must not take that back. */
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
      const page = await request<Page<Retrohunt>>('/retrohunts/', { query: { page_size: 50 }, signal });
      return { ...page, results: page.results.map(newerOf) };
    },
    staleTime: 0,
  });

export function useStartHunt(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (search: string) =>
      request<Retrohunt>(path(id, 'retrohunt/'), { method: 'POST', body: search === '' ? {} : { search } }),
    onSuccess: () => client.invalidateQueries({ queryKey: rulesetKeys.hunts }),
  });
}

export const useCancelHunt = () =>
  useMutation({
    mutationFn: (id: string) => request<unknown>(`/retrohunts/${encodeURIComponent(id)}/cancel/`, { method: 'POST' }),
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
