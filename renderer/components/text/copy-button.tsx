// A button that copies a text and says that it did. Knows nothing of the text.
import { ActionIcon, Tooltip } from '@mantine/core';
import { texts } from '../../texts.ts';
import { Icon } from '../picture/icon.tsx';
import { useCopy } from './use-copy.ts';

/** @param what names the thing for screen readers, `SHA-256` */
export function CopyButton({ text, what }: { text: string | (() => string); what: string }) {
  const { state, label, copy } = useCopy(text, texts.copy.label(what));
  return (
    <Tooltip label={label} opened={state === 'idle' ? undefined : true}>
      <ActionIcon
        color={state === 'copied' ? 'accent' : 'gray'}
        size="sm"
        aria-label={label}
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void copy();
        }}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
