// A button in a table that takes away what its row is about. Knows no row.
import { Button } from '@mantine/core';

interface RowDeletionProps {
  text: string;
  /** Names the thing too, for screen readers. */
  label: string;
  onClick: () => void;
}

export const RowDeletion = ({ text, label, onClick }: RowDeletionProps) => (
  <Button variant="subtle" color="red" aria-label={label} onClick={onClick}>
    {text}
  </Button>
);
