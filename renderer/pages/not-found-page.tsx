// An address that leads nowhere. Knows nothing else.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { usePageTitle } from '../components/page.tsx';
import { StatePanel } from '../components/state-panel.tsx';
import { texts } from '../texts.ts';

export function Component() {
  usePageTitle(texts.notFound.title);
  return (
    <>
      <h1 className="visually-hidden">{texts.notFound.title}</h1>
      <StatePanel
        icon="search"
        title={texts.notFound.title}
        action={
          <Button component={Link} to="/catalogue" variant="default">
            {texts.shortcuts.catalogue}
          </Button>
        }
      >
        {texts.notFound.text}
      </StatePanel>
    </>
  );
}
