// What lists of known files and signers say of an APK, as chips: one for those that know it for bad, one for good. Knows the
// record only.
import type { Apk } from '../../../server/contract/catalogue/apk.ts';
import { Chip } from '../text/chip.tsx';
import { HostileText, visibleString } from '../text/hostile-text.tsx';
import { statusTexts } from './texts.ts';

export function KnownChips({ known }: { known: Apk['workstation']['known'] }) {
  return (['bad', 'good'] as const).map((kind) => {
    const said = known.filter((one) => one.kind === kind);
    if (said.length === 0) return null;
    const name = said.find((one) => one.name !== '')?.name ?? '';
    const title = said.map(({ list, by }) => statusTexts.knownBy[by](visibleString(list))).join('\n');
    return (
      <Chip key={kind} tone={kind === 'bad' ? 'high' : 'good'} icon="catalogue" title={title}>
        {statusTexts.known[kind]}
        {name !== '' && (
          <>
            {': '}
            <HostileText value={name} max={40} isFixed />
          </>
        )}
      </Chip>
    );
  });
}
