// An address that leads nowhere. Knows nothing else.
import { useEffect } from 'react';
import { StatePanel } from '../components/state-panel.tsx';
import { texts } from '../texts.ts';

export function Component() {
  useEffect(() => {
    document.title = texts.title(texts.notFound.title);
  }, []);
  return (
    <StatePanel icon="search" title={texts.notFound.title}>
      {texts.notFound.text}
    </StatePanel>
  );
}
