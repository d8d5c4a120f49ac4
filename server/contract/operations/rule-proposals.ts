// Rules proposed from chosen APKs over HTTP: one's own.
import { z } from 'zod';
import { newRuleProposalSchema, ruleProposalChangesSchema, ruleProposalSchema } from '../rules/rule-proposal.ts';
import type { Operations } from './operation.ts';

export const ruleProposalOperations = {
  'POST /rule_proposals/': {
    summary: 'Proposes YARA rules that meet chosen APKs and nothing known good, as a job',
    access: 'token',
    body: newRuleProposalSchema,
    refusals: ['not-found'],
    answers: { 202: ruleProposalSchema },
  },
  'GET /rule_proposals/<id>/': {
    summary: 'Proposed rules, with the reasons for each literal, coverage and false hits',
    access: 'token',
    answers: { 200: ruleProposalSchema },
  },
  'PATCH /rule_proposals/<id>/': {
    summary: 'Leaves literals out of proposed rules, or takes them in again',
    access: 'token',
    body: ruleProposalChangesSchema,
    answers: { 200: ruleProposalSchema },
  },
  'POST /rule_proposals/<id>/cancel/': {
    summary: 'Ends the making of proposed rules',
    access: 'token',
    body: z.object({}),
    answers: { 200: ruleProposalSchema },
  },
} satisfies Operations;
