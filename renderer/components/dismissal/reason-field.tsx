// The field for why something is no concern. Knows neither what it is nor who asks.
import { Textarea } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { dismissalTexts as words } from './texts.ts';

interface ReasonFieldProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
}

export const ReasonField = ({ value, onChange }: ReasonFieldProps) => (
  <Textarea
    label={words.reason}
    description={words.reasonHint}
    required
    autosize
    minRows={2}
    maxLength={1000}
    value={value}
    onChange={onChange}
  />
);
