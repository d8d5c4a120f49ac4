// Copies a text and tells for a moment whether it worked. Knows nothing of the text.
import { useEffect, useState } from 'react';
import { texts } from '../../texts.ts';
import { copyText } from './clipboard.ts';

/** Milliseconds for which the outcome is told. */
const toldFor = 1500;

/** @param label while nothing is told */
export function useCopy(text: string | (() => string), label: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), toldFor);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed');
  return { state, label: { idle: label, copied: texts.copy.done, failed: texts.copy.failed }[state], copy };
}
