// Fuzz target: reading a search and working out what it wants.
import { planSearch } from '../../../server/query/plan.ts';
import { SearchError } from '../../../server/query/syntax.ts';
import { type FuzzTarget, hold, textOf, texts } from '../target.ts';

export const target: FuzzTarget = {
  subject: ['query/'],
  isText: true,
  samples: texts(
    'whatsapp and -(signer:abc or tag:"two words") size:>2097152',
    'created:[2024-01-01 TO 2024-02-01] Whatsapp~1 bank* network.hosts:8.8.8.8 is_corrupted:true',
    'matches:>=3 not min_sdk:[21, 33] package_name:(com.a* or com.b)',
  ),
  words: ['TO', 'AND', 'OR', 'NOT', '~2', '*', ':', ':(', ':[', ':>', ':<='],
  refusals: [SearchError],
  run(input) {
    const text = textOf(input);
    try {
      return planSearch(text, 1);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      const isInside = error.position >= 0 && error.position <= text.length;
      hold(isInside, 'a search is wrong at a place in it', `${error.position}`);
      throw error;
    }
  },
};
