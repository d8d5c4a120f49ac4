// An address that leads nowhere. Knows nothing else.
import { usePageTitle } from '../components/page.tsx';
import { StatePanel } from '../components/state-panel.tsx';
import { texts } from '../texts.ts';

export function Component() {
  usePageTitle(texts.notFound.title);
  return (
    <StatePanel icon="search" title={texts.notFound.title}>
      {texts.notFound.text}
    </StatePanel>
  );
}
