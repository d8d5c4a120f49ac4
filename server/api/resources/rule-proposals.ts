// Rules proposed from chosen APKs over HTTP: one's own.
import type { ruleProposalOperations } from '../../contract/operations/rule-proposals.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { accepted, type Handlers, ok } from '../operation.ts';
import { presentRuleProposal } from '../presenters/rules/rule-proposal.ts';

const find = ({ ids, ruleProposals }: Services, account: AccountRecord, { id }: { id: string }) =>
  ruleProposals.get(account, ids.decode('rule-proposal', id));

export const ruleProposalHandlers: Handlers<typeof ruleProposalOperations> = {
  'POST /rule_proposals/': async ({ body: { family: id, ...body }, account, presenting, services }) => {
    const { families, ids, ruleProposals } = services;
    const family = id === undefined ? undefined : await families.get(ids.decode('family', id));
    return accepted(presentRuleProposal(presenting, await ruleProposals.begin(account, { ...body, family })));
  },

  'GET /rule_proposals/<id>/': async ({ params, account, presenting, services }) =>
    ok(presentRuleProposal(presenting, await find(services, account, params))),

  'PATCH /rule_proposals/<id>/': async ({ params, body, account, presenting, services }) => {
    const proposal = await find(services, account, params);
    return ok(presentRuleProposal(presenting, await services.ruleProposals.leaveOut(account, proposal, body.left_out)));
  },

  'POST /rule_proposals/<id>/cancel/': async ({ params, account, presenting, services }) => {
    const proposal = await find(services, account, params);
    return ok(presentRuleProposal(presenting, await services.ruleProposals.cancel(account, proposal)));
  },
};
