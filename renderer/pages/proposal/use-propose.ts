// Begins to propose rules and leads to where they will stand. Knows nothing of where the APKs were chosen.
import { useNavigate } from 'react-router';
import type { BodyOf } from '../../api/client.ts';
import { useProposeRules } from '../../api/proposal-queries.ts';

export function usePropose(): { propose: (from: BodyOf<'POST /rule_proposals/'>) => void; isPending: boolean } {
  const navigate = useNavigate();
  const { mutate, isPending } = useProposeRules();
  const propose = (from: BodyOf<'POST /rule_proposals/'>) =>
    mutate(from, { onSuccess: ({ id }) => void navigate(`/rule-proposals/${id}`) });
  return { propose, isPending };
}
