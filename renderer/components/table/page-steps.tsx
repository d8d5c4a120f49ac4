// Buttons to the page before and after, of a list that comes in numbered pages. Knows nothing of the list.
import { Button } from '@mantine/core';
import { texts } from '../../texts.ts';

interface PageStepsProps {
  page: number;
  list: { next: string | null; previous: string | null };
  onPage: (page: number) => void;
}

export const PageSteps = ({ page, list: { next, previous }, onPage }: PageStepsProps) =>
  (next !== null || previous !== null) && (
    <>
      <Button variant="default" disabled={previous === null} onClick={() => onPage(page - 1)}>
        {texts.pages.previous}
      </Button>
      <span className="tabular">{texts.pages.at(page)}</span>
      <Button variant="default" disabled={next === null} onClick={() => onPage(page + 1)}>
        {texts.pages.next}
      </Button>
    </>
  );
