// How sure the name and the bounds of a family are, as chips. Knows the record only.
import type { Family } from '../../../server/contract/catalogue/family.ts';
import { Chip } from '../../components/text/chip.tsx';
import { familiesTexts as words } from './texts.ts';

export const FamilyChips = ({ family }: { family: Pick<Family, 'is_named' | 'is_confirmed'> }) => (
  <>
    {!family.is_named && (
      <Chip tone="quiet" title={words.proposedText}>
        {words.proposed}
      </Chip>
    )}
    {family.is_confirmed && (
      <Chip tone="good" icon="check" title={words.confirmedText}>
        {words.confirmed}
      </Chip>
    )}
  </>
);
