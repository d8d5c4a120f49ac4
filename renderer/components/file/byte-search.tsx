// Looks for a text or bytes in a file, and steps through the places where they stand. Knows nothing of how bytes are shown.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type EntryPlace, useByteSearch } from '../../api/apk-queries.ts';
import { submitting } from '../form/submitting.ts';
import { formatCount } from '../text/counted.ts';
import styles from './hex-view.module.css';
import { hexTexts } from './texts.ts';

interface ByteSearchProps {
  sha256: string;
  place: EntryPlace;
  /** A place to be shown. */
  onHit: (hit: { offset: number; length: number }) => void;
}

export function ByteSearch({ sha256, place, onHit }: ByteSearchProps) {
  const [typed, setTyped] = useInputState('');
  const [as, setAs] = useState<'text' | 'hex'>('text');
  const [asked, setAsked] = useState<{ q: string; as: 'text' | 'hex' } | null>(null);
  const [at, setAt] = useState(0);
  const search = useByteSearch(sha256, place, asked);
  const hits = search.data?.results ?? [];
  const hit = hits[at];
  useEffect(() => {
    if (hit !== undefined) onHit(hit);
  }, [hit, onHit]);
  const isSame = asked !== null && asked.q === typed && asked.as === as;
  const step = (by: number) => setAt((known) => (known + by + hits.length) % hits.length);
  const submit = () => {
    if (isSame && hits.length > 0) step(1);
    else if (typed !== '') {
      setAt(0);
      setAsked({ q: typed, as });
    }
  };
  return (
    <form className={styles.search} onSubmit={submitting(submit)}>
      <TextInput
        size="xs"
        value={typed}
        onChange={setTyped}
        placeholder={hexTexts.searchPlaceholder[as]}
        aria-label={hexTexts.search}
        spellCheck={false}
      />
      <NativeSelect
        size="xs"
        aria-label={hexTexts.searchAs}
        value={as}
        data={[
          { value: 'text', label: hexTexts.asText },
          { value: 'hex', label: hexTexts.asHex },
        ]}
        onChange={(event) => setAs(event.currentTarget.value as 'text' | 'hex')}
      />
      <Button type="submit" size="compact-sm" variant="default" loading={search.isFetching}>
        {hexTexts.find}
      </Button>
      <span role="status" className="tabular">
        {search.isError
          ? search.error.message
          : search.data === undefined
            ? ''
            : hexTexts.hits(hits.length === 0 ? 0 : at + 1, formatCount(search.data.count))}
      </span>
      {hits.length > 1 && (
        <Button size="compact-sm" variant="default" onClick={() => step(-1)}>
          {hexTexts.previous}
        </Button>
      )}
    </form>
  );
}
