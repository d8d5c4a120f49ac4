// Rules proposed from chosen APKs, as the screens ask for them. Knows nothing of how they look.
import { useMutation } from '@tanstack/react-query';
import type { RuleProposal } from '../../server/contract/rules/rule-proposal.ts';
import { ask, type BodyOf } from './client.ts';
import { always, askAnew, queryClient, useAnswer } from './query-client.ts';

export const proposalKey = ['rule-proposal'] as const;
const keyOf = (id: string) => [...proposalKey, id] as const;
const keep = (proposal: RuleProposal) => queryClient.setQueryData(keyOf(proposal.id), proposal);

/** A proposal; asked for anew whenever an event tells of its job (`live.ts`). */
export const useProposal = (id: string) => useAnswer(keyOf(id), 'GET /rule_proposals/<id>/', { id }, always);

/** Begins to propose rules from APKs that are named, or that a search finds. */
export const useProposeRules = () =>
  useMutation({
    mutationFn: (body: BodyOf<'POST /rule_proposals/'>) => ask('POST /rule_proposals/', { body }),
    onSuccess: keep,
  });

export const useLeaveOut = (id: string) =>
  useMutation({
    mutationFn: (left_out: string[]) => ask('PATCH /rule_proposals/<id>/', { id, body: { left_out } }),
    onSuccess: keep,
  });

export const useCancelProposal = (id: string) =>
  useMutation({
    mutationFn: () => ask('POST /rule_proposals/<id>/cancel/', { id }),
    onSuccess: keep,
  });

/** Saves the rules as a disabled private ruleset, and runs it over the whole catalogue where that is wanted. */
export const useSaveProposal = () =>
  useMutation({
    mutationFn: async ({ name, rules, isHunting }: { name: string; rules: string; isHunting: boolean }) => {
      const ruleset = await ask('POST /rulesets/', { body: { name, rules, status: 'disabled', is_public: false } });
      if (isHunting) await ask('POST /rulesets/<id>/retrohunt/', { id: ruleset.id, body: {} });
      return ruleset;
    },
    onSuccess: () => askAnew(['rulesets'], ['retrohunts']),
  });
