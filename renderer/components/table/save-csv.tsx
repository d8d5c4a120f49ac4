// A button that saves what a list shows as a table. Knows nothing of the list.
import { Button } from '@mantine/core';
import { csvRow } from '../../../server/contract/csv.ts';
import { texts } from '../../texts.ts';
import { saveFile } from '../file/save-file.ts';

interface SaveCsvProps<T> {
  fileName: string;
  head: readonly string[];
  items: readonly T[];
  row: (item: T) => readonly string[];
}

export const SaveCsv = <T,>({ fileName, head, items, row }: SaveCsvProps<T>) => (
  <Button
    variant="default"
    size="compact-sm"
    disabled={items.length === 0}
    onClick={() => saveFile([head, ...items.map(row)].map(csvRow), fileName, 'text/csv')}
  >
    {texts.exporting.csv}
  </Button>
);
