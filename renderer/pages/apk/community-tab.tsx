// What analysts say of an APK: detections, votes, tags, comments. Knows records, not how they came about.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import { useAddTag, useRefreshOn, useRemoveTag, useVote, useVotes, votesKey } from '../../api/apk-queries.ts';
import { threadKey } from '../../api/comment-queries.ts';
import { apkPath, keys, useAccount } from '../../api/queries.ts';
import { searchAddress } from '../../components/catalogue-address.ts';
import { Chip } from '../../components/chip.tsx';
import { CommentThread } from '../../components/comments/comment-thread.tsx';
import { formatFull } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { tellError } from '../../components/tell-error.ts';
import { texts } from '../../texts.ts';
import styles from './community.module.css';
import parts from './parts.module.css';

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
            <Link to={searchAddress(`tag:"${tag}"`)}>
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

export function CommunityTab({ apk }: { apk: ApkDetail }) {
  const thread = { path: apkPath(apk.sha256, 'comments/'), record: keys.apk(apk.sha256) };
  useRefreshOn(apk.comments_count, threadKey(thread.path));
  useRefreshOn(apk.votes_count, votesKey(apk.sha256));
  return (
    <div className={styles.page}>
      <section className={parts.card} aria-labelledby="comments-title">
        <h2 id="comments-title">{texts.comments.title}</h2>
        <CommentThread thread={thread} />
      </section>
      <div className={styles.side}>
        <Votes apk={apk} />
        <Tags apk={apk} />
        <Detections apk={apk} />
      </div>
    </div>
  );
}
