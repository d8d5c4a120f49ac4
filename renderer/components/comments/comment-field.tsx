// The field that a comment is written in: @ completes analysts' names, Ctrl+Enter sends.
import { Textarea } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useMentionable } from '../../api/comment-queries.ts';
import { ChoiceList, choiceId } from '../form/choice-list.tsx';
import { HostileText } from '../text/hostile-text.tsx';
import styles from './comments.module.css';
import { namesFor, startedMention } from './mention.ts';
import { commentsTexts } from './texts.ts';

const maxComment = 10_000;
const maxNames = 8;

interface CommentFieldProps {
  label: string;
  placeholder?: string;
  text: string;
  onChange: (text: string) => void;
  onSend: () => void;
}

export function CommentField({ label, placeholder, text, onChange, onSend }: CommentFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [picked, setPicked] = useState(0);
  /** Where a list was closed by Escape; it stays closed for that mention. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const listId = useId();
  const mention = startedMention(text, caret);
  const isWanted = mention !== null && mention.at !== closedAt;
  const { data: names = [] } = useMentionable(isWanted);
  const shown = isWanted ? namesFor(mention.typed, names, maxNames) : [];

  const complete = (name: string) => {
    if (mention === null) return;
    const before = `${text.slice(0, mention.at)}@${name} `;
    // At once: the next key must find the caret behind the name.
    flushSync(() => {
      onChange(before + text.slice(caret).replace(/^ /, ''));
      setCaret(before.length);
    });
    field.current?.setSelectionRange(before.length, before.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return onSend();
    if (shown.length === 0 || mention === null) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setPicked((known) => (known + (event.key === 'ArrowDown' ? 1 : -1) + shown.length) % shown.length);
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      complete(shown[picked % shown.length]!);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setClosedAt(mention.at);
    }
  };
  return (
    <div className={styles.field}>
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={maxComment}
        value={text}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          setCaret(currentTarget.selectionStart);
          setPicked(0);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setClosedAt(mention?.at ?? null)}
        onFocus={() => setClosedAt(null)}
        onKeyDown={onKeyDown}
        {...(placeholder === undefined ? {} : { placeholder })}
        aria-label={label}
        aria-autocomplete="list"
        {...(shown.length === 0
          ? {}
          : { 'aria-controls': listId, 'aria-activedescendant': choiceId(listId, picked % shown.length) })}
      />
      {shown.length > 0 && (
        <ChoiceList
          id={listId}
          label={commentsTexts.mention}
          choices={shown}
          picked={picked % shown.length}
          keyOf={(name) => name}
          onChoose={complete}
          className={styles.names}
        >
          {(name) => <HostileText value={name} max={64} isFixed />}
        </ChoiceList>
      )}
    </div>
  );
}
