// A button that copies a rule for bytes. Knows nothing of where they are from.
import { Button } from '@mantine/core';
import { useCopy } from '../text/use-copy.ts';
import { byteRule } from './byte-rule.ts';

interface ByteRuleButtonProps {
  /** What the rule is named after. */
  about: string;
  /** Pairs of hexadecimal digits, `??` for any byte. */
  pattern: string;
}

/** Not there where the bytes are too few to be told from others. */
export function ByteRuleButton({ about, pattern }: ByteRuleButtonProps) {
  const rule = byteRule(about, pattern);
  const { label, copy } = useCopy(rule ?? '', 'Copy as YARA rule');
  if (rule === null) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => void copy()}>
      {label}
    </Button>
  );
}
