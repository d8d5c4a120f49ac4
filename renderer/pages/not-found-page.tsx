// An address that leads nowhere. Knows nothing else.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { usePageTitle } from '../components/page/page.tsx';
import { StatePanel } from '../components/page/state-panel.tsx';
import { texts } from '../texts.ts';
import { catalogueTexts } from './catalogue/texts.ts';

export function Component() {
  usePageTitle(texts.notFound.title);
  return (
    <StatePanel
      icon="search"
      title={texts.notFound.title}
      isPage
      action={
        <Button component={Link} to="/catalogue" variant="default">
          {texts.shortcuts.go(catalogueTexts.title)}
        </Button>
      }
    >
      {texts.notFound.text}
    </StatePanel>
  );
}
