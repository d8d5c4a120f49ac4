// A thread of comments with the form that adds to it. Knows a thread's address, not what it is about.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Comment } from '../../../server/contract/people/comment.ts';
import { type Thread, useCommenting, useThread } from '../../api/comment-queries.ts';
import { useAccount, useMay } from '../../api/queries.ts';
import { texts } from '../../texts.ts';
import { submitting } from '../form/submitting.ts';
import { QueryState } from '../page/state-panel.tsx';
import { AnalystLink } from '../place/named-link.tsx';
import { MoreButton } from '../table/more-button.tsx';
import { formatFull } from '../text/format.ts';
import { CommentField } from './comment-field.tsx';
import { CommentText } from './comment-text.tsx';
import styles from './comments.module.css';
import { commentsTexts as words } from './texts.ts';

function Writing({ thread, comment, onDone }: { thread: Thread; comment?: Comment; onDone?: () => void }) {
  const commenting = useCommenting(thread);
  const [text, setText] = useState(comment?.text ?? '');
  const send = () => {
    if (text.trim() === '' || commenting.isPending) return;
    const onSuccess = () => {
      setText('');
      onDone?.();
    };
    commenting.mutate(comment === undefined ? { text } : { id: comment.id, text }, { onSuccess });
  };
  return (
    <form onSubmit={submitting(send)}>
      <CommentField
        label={comment === undefined ? words.write : words.edit}
        placeholder={thread.hasTags ? words.placeholderWithTags : words.placeholder}
        text={text}
        onChange={setText}
        onSend={send}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="compact-sm" disabled={text.trim() === ''} loading={commenting.isPending}>
          {comment === undefined ? words.send : texts.save}
        </Button>
        {onDone !== undefined && (
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Deleting is asked for twice. */
function Deletion({ thread, comment }: { thread: Thread; comment: Comment }) {
  const commenting = useCommenting(thread);
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return (
      <Button size="compact-xs" variant="subtle" onClick={() => setConfirming(true)}>
        {words.remove}
      </Button>
    );
  }
  return (
    <>
      <span>{words.confirmRemove}</span>
      <Button
        size="compact-xs"
        color="red.8"
        loading={commenting.isPending}
        onClick={() => commenting.mutate({ id: comment.id })}
      >
        {words.remove}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => setConfirming(false)}>
        {texts.cancel}
      </Button>
    </>
  );
}

function CommentItem({ thread, comment, mayEdit }: { thread: Thread; comment: Comment; mayEdit: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const { author, created_at, updated_at, text } = comment;
  return (
    <li className={styles.comment} data-testid="comment">
      <div className={styles.head}>
        <b>
          <AnalystLink username={author.username} />
        </b>
        <time className={styles.note} dateTime={created_at}>
          {formatFull(created_at)}
        </time>
        {updated_at !== created_at && (
          <span className={styles.note} title={formatFull(updated_at)}>
            {words.edited}
          </span>
        )}
        {mayEdit && !isEditing && (
          <span className={styles.actions}>
            <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
              {words.edit}
            </Button>
            <Deletion thread={thread} comment={comment} />
          </span>
        )}
      </div>
      {isEditing ? (
        <Writing thread={thread} comment={comment} onDone={() => setEditing(false)} />
      ) : (
        <CommentText text={text} />
      )}
    </li>
  );
}

export function CommentThread({ thread }: { thread: Thread }) {
  const comments = useThread(thread);
  const { data: account } = useAccount();
  const may = useMay();
  const list = comments.data?.items ?? [];
  return (
    <div className={styles.thread}>
      <Writing thread={thread} />
      <QueryState query={comments} />
      {comments.isSuccess && list.length === 0 && <p className={styles.note}>{words.none}</p>}
      <ul className={styles.comments}>
        {list.map((comment) => (
          <CommentItem
            key={comment.id}
            thread={thread}
            comment={comment}
            mayEdit={may('comments.moderate') || account?.username === comment.author.username}
          />
        ))}
      </ul>
      <MoreButton list={comments} label={words.earlier} size="compact-sm" mt={0} />
    </div>
  );
}
