// A button that saves what a list shows as a table. Knows nothing of the list.
import { Button } from '@mantine/core';
import { csvRow } from '../../../server/contract/csv.ts';
import { texts } from '../../texts.ts';
import { saveFile } from '../file/save-file.ts';

interface SaveCsvProps {
  fileName: string;
  head: readonly string[];
  /** Asked for when it is pressed. */
  rows: () => readonly (readonly string[])[];
  isEmpty: boolean;
}

export const SaveCsv = ({ fileName, head, rows, isEmpty }: SaveCsvProps) => (
  <Button
    variant="default"
    size="compact-sm"
    disabled={isEmpty}
    onClick={() => saveFile([head, ...rows()].map(csvRow), fileName, 'text/csv')}
  >
    {texts.exporting.csv}
  </Button>
);
