// A method as Java writes it, its own name in bold. Knows names only.
import { className } from '../text/format.ts';
import { HostileText } from '../text/hostile-text.tsx';

/**
 * @param owner descriptor of its class
 * @param method empty for the class alone
 */
export const MethodName = ({ owner, method }: { owner: string; method: string }) => (
  <>
    <HostileText value={className(owner)} max={160} mono isFixed />
    {method !== '' && (
      <b>
        .<HostileText value={method} max={200} mono isFixed />
      </b>
    )}
  </>
);
