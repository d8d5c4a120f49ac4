// An address that leads nowhere. Knows nothing else.
import { StatePanel } from '../components/state-panel.tsx';
import { texts } from '../texts.ts';

export function Component() {
  return (
    <StatePanel icon="search" title={texts.notFound.title}>
      {texts.notFound.text}
    </StatePanel>
  );
}
