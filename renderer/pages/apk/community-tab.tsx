// What analysts say of an APK: detections, votes, tags, comments. Knows records, not how they came about.
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { Comment } from '../../../server/contract/comment.ts';
import {
  useAddComment,
  useAddTag,
  useComments,
  useDeleteComment,
  useEditComment,
  useRefreshOn,
  useRemoveTag,
  useVote,
  useVotes,
} from '../../api/apk-queries.ts';
import { useAccount } from '../../api/queries.ts';
import { Chip } from '../../components/chip.tsx';
import { formatFull } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './community.module.css';
import parts from './parts.module.css';

const tellError = (error: Error) => notifications.show({ color: 'red', message: error.message, autoClose: 8000 });
const maxComment = 10_000;

function Detections({ apk }: { apk: ApkDetail }) {
  return (
    <section className={parts.card} aria-labelledby="detections-title">
      <h2 id="detections-title">{texts.community.detections}</h2>
      {apk.detections.length === 0 && <p className={styles.nothing}>{texts.community.noDetections}</p>}
      <ul className={styles.list}>
        {apk.detections.slice(0, 200).map((detection) => (
          <li key={detection.source} data-testid="detection">
            <Chip tone="critical" icon="bug">
              <HostileText value={detection.source} max={80} isFixed />
            </Chip>
            <dl className={parts.facts}>
              {Object.entries(detection.information)
                .slice(0, 20)
                .map(([name, value]) => (
                  <div key={name} className={parts.factLine}>
                    <dt>
                      <HostileText value={name} max={60} isFixed />
                    </dt>
                    <dd>
                      <HostileText value={typeof value === 'string' ? value : JSON.stringify(value)} max={300} />
                    </dd>
                  </div>
                ))}
            </dl>
            <time className={parts.note} dateTime={detection.created_at}>
              {formatFull(detection.created_at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Votes({ apk }: { apk: ApkDetail }) {
  const votes = useVotes(apk.sha256);
  const vote = useVote(apk.sha256);
  const account = useAccount();
  const list = votes.data?.pages.flatMap(({ results }) => results) ?? [];
  const own = list.find(({ analyst }) => analyst === account.data?.username);
  return (
    <section className={parts.card} aria-labelledby="votes-title">
      <h2 id="votes-title">
        {texts.community.votes}
        <Chip tone={apk.rating < 0 ? 'high' : apk.rating > 0 ? 'good' : 'quiet'}>
          {texts.community.rating(apk.rating)}
        </Chip>
      </h2>
      <div className={styles.buttons}>
        <Button
          variant="default"
          size="compact-sm"
          disabled={own !== undefined || vote.isPending}
          leftSection={<Icon name="shieldCheck" size={14} />}
          onClick={() => vote.mutate('positive', { onError: tellError })}
        >
          {texts.community.voteUp}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={own !== undefined || vote.isPending}
          leftSection={<Icon name="bug" size={14} />}
          onClick={() => vote.mutate('negative', { onError: tellError })}
        >
          {texts.community.voteDown}
        </Button>
      </div>
      {votes.isSuccess && list.length === 0 && <p className={styles.nothing}>{texts.community.noVotes}</p>}
      <ul className={styles.votes}>
        {list.map(({ analyst, kind, created_at }) => (
          <li key={analyst} data-testid="vote">
            <Chip tone={kind === 'positive' ? 'good' : 'high'}>{texts.community[kind]}</Chip>
            <Analyst name={analyst} />
            <time className={parts.note} dateTime={created_at}>
              {formatFull(created_at)}
            </time>
          </li>
        ))}
      </ul>
      {votes.hasNextPage && (
        <Button variant="default" size="compact-sm" onClick={() => void votes.fetchNextPage()}>
          {texts.community.earlier}
        </Button>
      )}
    </section>
  );
}

const Analyst = ({ name }: { name: string }) => (
  <Link to={`/analysts/${encodeURIComponent(name)}`}>
    <HostileText value={name} max={60} isFixed />
  </Link>
);

function Tags({ apk }: { apk: ApkDetail }) {
  const add = useAddTag(apk.sha256);
  const remove = useRemoveTag(apk.sha256);
  const [name, setName] = useState('');
  return (
    <section className={parts.card} aria-labelledby="tags-title">
      <h2 id="tags-title">{texts.community.tags}</h2>
      <div className={styles.tags}>
        {apk.tags.length === 0 && <span className={styles.nothing}>{texts.community.noTags}</span>}
        {apk.tags.map((tag) => (
          <span key={tag} className={styles.tag} data-testid="tag">
            <Link to={`/catalogue?${new URLSearchParams({ search: `tag:"${tag}"` })}`}>
              #<HostileText value={tag} max={50} isFixed />
            </Link>
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={texts.community.removeTag(tag)}
              onClick={() => remove.mutate(tag, { onError: tellError })}
            >
              <Icon name="close" size={10} />
            </ActionIcon>
          </span>
        ))}
      </div>
      <form
        className={styles.tagForm}
        onSubmit={(event) => {
          event.preventDefault();
          const tag = name.trim().replace(/^#/, '');
          if (tag !== '') add.mutate(tag, { onError: tellError, onSuccess: () => setName('') });
        }}
      >
        <TextInput
          size="xs"
          value={name}
          maxLength={51}
          onChange={(event) => setName(event.currentTarget.value)}
          placeholder={texts.community.addTag}
          aria-label={texts.community.addTag}
        />
        <Button type="submit" size="compact-sm" variant="default" loading={add.isPending}>
          {texts.community.add}
        </Button>
      </form>
    </section>
  );
}

/** Mentions lead to analysts, tags to the catalogue; every other character is text. */
function CommentText({ text }: { text: string }) {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?<![\w@#])([@#])([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})/gu)) {
    const [whole, sign, word] = match;
    // Sentences end in dots, names do not.
    const name = word!.replace(/[.-]+$/, '');
    if (match.index > end) pieces.push(<Plain key={end} text={text.slice(end, match.index)} />);
    const address =
      sign === '@'
        ? `/analysts/${encodeURIComponent(name)}`
        : `/catalogue?${new URLSearchParams({ search: `tag:"${name}"` })}`;
    pieces.push(
      <Link key={match.index} to={address}>
        {sign}
        <HostileText value={name} max={64} isFixed />
      </Link>,
    );
    end = match.index + whole.length - (word!.length - name.length);
  }
  pieces.push(<Plain key={end} text={text.slice(end)} />);
  return <p className={styles.text}>{pieces}</p>;
}

/** Line breaks of a comment are its author's; everything else goes the way of hostile text. */
function Plain({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places
    <span key={index}>
      {index > 0 && <br />}
      {line !== '' && <HostileText value={line} max={2000} />}
    </span>
  ));
}

function CommentItem({ apk, comment }: { apk: ApkDetail; comment: Comment }) {
  const account = useAccount();
  const edit = useEditComment(apk.sha256);
  const remove = useDeleteComment(apk.sha256);
  const [draft, setDraft] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const mayEdit = account.data?.username === comment.author.username || account.data?.role === 'owner';
  return (
    <li className={styles.comment} data-testid="comment">
      <div className={styles.commentHead}>
        <b>
          <Analyst name={comment.author.username} />
        </b>
        <time className={parts.note} dateTime={comment.created_at}>
          {formatFull(comment.created_at)}
        </time>
        {comment.updated_at !== comment.created_at && (
          <span className={parts.note} title={formatFull(comment.updated_at)}>
            {texts.community.edited}
          </span>
        )}
        {mayEdit && draft === null && (
          <span className={styles.commentActions}>
            <Button size="compact-xs" variant="subtle" onClick={() => setDraft(comment.text)}>
              {texts.community.edit}
            </Button>
            {isConfirming ? (
              <>
                <span>{texts.community.confirmRemove}</span>
                <Button
                  size="compact-xs"
                  color="red.8"
                  loading={remove.isPending}
                  onClick={() => remove.mutate(comment.id, { onError: tellError })}
                >
                  {texts.community.remove}
                </Button>
                <Button size="compact-xs" variant="default" onClick={() => setConfirming(false)}>
                  {texts.community.cancel}
                </Button>
              </>
            ) : (
              <Button size="compact-xs" variant="subtle" onClick={() => setConfirming(true)}>
                {texts.community.remove}
              </Button>
            )}
          </span>
        )}
      </div>
      {draft === null ? (
        <CommentText text={comment.text} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            edit.mutate({ id: comment.id, text: draft }, { onError: tellError, onSuccess: () => setDraft(null) });
          }}
        >
          <Textarea
            autosize
            minRows={2}
            maxLength={maxComment}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            aria-label={texts.community.edit}
          />
          <div className={styles.buttons}>
            <Button type="submit" size="compact-sm" disabled={draft.trim() === ''} loading={edit.isPending}>
              {texts.community.save}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setDraft(null)}>
              {texts.community.cancel}
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}

function Comments({ apk }: { apk: ApkDetail }) {
  const comments = useComments(apk.sha256);
  const add = useAddComment(apk.sha256);
  const [text, setText] = useState('');
  const list = comments.data?.pages.flatMap(({ results }) => results) ?? [];
  const send = () => add.mutate(text, { onError: tellError, onSuccess: () => setText('') });
  return (
    <section className={parts.card} aria-labelledby="comments-title">
      <h2 id="comments-title">{texts.community.comments}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') send();
        }}
      >
        <Textarea
          autosize
          minRows={2}
          maxRows={12}
          maxLength={maxComment}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim() !== '') send();
          }}
          placeholder={texts.community.placeholder}
          aria-label={texts.community.write}
        />
        <div className={styles.buttons}>
          <Button type="submit" size="compact-sm" disabled={text.trim() === ''} loading={add.isPending}>
            {texts.community.send}
          </Button>
        </div>
      </form>
      {comments.isPending && <LoadingPanel />}
      {comments.isError && <ErrorPanel error={comments.error} />}
      {comments.isSuccess && list.length === 0 && <p className={styles.nothing}>{texts.community.noComments}</p>}
      <ul className={styles.comments}>
        {list.map((comment) => (
          <CommentItem key={comment.id} apk={apk} comment={comment} />
        ))}
      </ul>
      {comments.hasNextPage && (
        <Button variant="default" size="compact-sm" onClick={() => void comments.fetchNextPage()}>
          {texts.community.earlier}
        </Button>
      )}
    </section>
  );
}

export function CommunityTab({ apk }: { apk: ApkDetail }) {
  useRefreshOn(apk.comments_count, 'comments', apk.sha256);
  useRefreshOn(apk.votes_count, 'votes', apk.sha256);
  return (
    <div className={styles.page}>
      <Comments apk={apk} />
      <div className={styles.side}>
        <Votes apk={apk} />
        <Tags apk={apk} />
        <Detections apk={apk} />
      </div>
    </div>
  );
}
