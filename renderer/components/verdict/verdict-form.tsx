// The form of a verdict on one or many APKs: verdict, family with completion, note. Knows no APK.
import { Autocomplete, Button, SegmentedControl, Textarea } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';
import { useCompletions } from '../../api/catalogue-queries.ts';
import { submitting } from '../form/submitting.ts';
import { verdictTexts as words } from './texts.ts';
import styles from './verdict.module.css';

/** Verdicts in the order of the control, the gravest first. */
export const verdictOrder = ['malicious', 'suspicious', 'clean', 'unknown'] as const satisfies readonly Verdict[];

export interface SaidWord {
  verdict: Verdict;
  family: string;
  note: string;
}

interface VerdictFormProps {
  /** The initial values. */
  initial: Omit<SaidWord, 'note'>;
  isPending: boolean;
  onSay: (word: SaidWord) => void;
}

/** Families in the catalogue that begin with the text. */
function useFamilies(typed: string): string[] {
  const search = `family:"${typed.replaceAll('"', '')}`;
  const { data } = useCompletions(search, search.length, true);
  return (data?.completions ?? []).map(({ text }) => text.replace(/^"(.*)"$/s, '$1'));
}

export function VerdictForm({ initial, isPending, onSay }: VerdictFormProps) {
  const [verdict, setVerdict] = useState(initial.verdict);
  const [family, setFamily] = useState(initial.family);
  const [note, setNote] = useInputState('');
  const families = useFamilies(family);
  const control = useRef<HTMLDivElement>(null);
  // The control itself takes no focus: its chosen radio button does.
  useEffect(() => control.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), []);
  return (
    <form className={styles.form} onSubmit={submitting(() => onSay({ verdict, family, note }))}>
      <SegmentedControl
        fullWidth
        data-autofocus
        ref={control}
        aria-label={words.title}
        value={verdict}
        onChange={(value) => setVerdict(value as Verdict)}
        data={verdictOrder.map((value) => ({ value, label: words.labels[value] }))}
      />
      <Autocomplete
        label={words.family}
        description={words.familyHint}
        maxLength={100}
        data={families}
        value={family}
        onChange={setFamily}
      />
      <Textarea
        label={words.note}
        description={words.noteHint}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={8}
        value={note}
        onChange={setNote}
      />
      <Button type="submit" loading={isPending} className={styles.say}>
        {words.say}
      </Button>
    </form>
  );
}
