// A button with words that copies much at once and says that it did. Knows nothing of the text.
import { Button } from '@mantine/core';
import { useCopy } from './use-copy.ts';

interface CopyAllProps {
  /** Made when it is pressed. */
  text: () => string;
  label: string;
  isEmpty?: boolean;
}

export function CopyAll({ text, label, isEmpty = false }: CopyAllProps) {
  const { label: shown, copy } = useCopy(text, label);
  return (
    <Button variant="default" size="compact-sm" disabled={isEmpty} onClick={() => void copy()}>
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}
