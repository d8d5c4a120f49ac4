// The cases that an APK belongs to, each a way there. Knows one APK.
import { Link } from 'react-router';
import { useCasesOf } from '../../api/case-queries.ts';
import { Chip } from '../text/chip.tsx';
import { HostileText } from '../text/hostile-text.tsx';
import { addToCaseTexts as words } from './texts.ts';

export function CaseChips({ sha256 }: { sha256: string }) {
  const cases = useCasesOf(sha256);
  return cases.data?.results.map(({ id, name }) => (
    <Link key={id} to={`/cases/${id}`} data-testid="case-chip">
      <Chip tone="quiet" title={words.belongs}>
        <HostileText value={name} max={40} isFixed />
      </Chip>
    </Link>
  ));
}
