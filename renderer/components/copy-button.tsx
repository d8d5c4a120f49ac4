// A button that copies a text and says that it did. Knows nothing of the text.
import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { copyText } from './clipboard.ts';
import { Icon } from './icon.tsx';

/** @param what names the thing for screen readers, `SHA-256` */
export function CopyButton({ text, what }: { text: string | (() => string); what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed');
  const label = state === 'copied' ? texts.copy.done : state === 'failed' ? texts.copy.failed : texts.copy.label(what);
  return (
    <Tooltip label={label} opened={state === 'idle' ? undefined : true}>
      <ActionIcon
        variant="subtle"
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
