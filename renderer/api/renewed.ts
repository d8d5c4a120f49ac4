// What is kept of the server's answers and has changed there is asked for again. Knows no answer.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * At once where it is looked at. A first answer that is under way may be older than the change, and would be taken for the
 * newest: that one is asked for again as well.
 */
export async function renewed(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  const first = underWay.filter(({ state }) => state.data === undefined);
  await client.invalidateQueries({ queryKey });
  await Promise.all(first.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })));
}
