// What analysts say of an APK: detections, votes, tags, comments. Knows records, not how they came about.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { Link } from 'react-router';
import type { ApkDetail } from '../../../../server/contract/catalogue/apk.ts';
import { useAddTag, useRefreshOn, useRemoveTag, useVote, useVotes, votesKey } from '../../../api/apk-queries.ts';
import { apkThread } from '../../../api/comment-queries.ts';
import { useAccount } from '../../../api/queries.ts';
import { CommentThread } from '../../../components/comments/comment-thread.tsx';
import { commentsTexts } from '../../../components/comments/texts.ts';
import { submitting } from '../../../components/form/submitting.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { searchAddress } from '../../../components/place/catalogue-address.ts';
import { AnalystLink } from '../../../components/place/named-link.tsx';
import { MoreButton } from '../../../components/table/more-button.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatFull } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { HostileFacts } from '../hostile-facts.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import styles from './community.module.css';
import { communityTexts } from './texts.ts';
import { ToldSayings } from './told-sayings.tsx';

function Detections({ apk }: { apk: ApkDetail }) {
  return (
    <section className={shared.card} aria-labelledby="detections-title">
      <h2 id="detections-title">{communityTexts.detections}</h2>
      {apk.detections.length === 0 && <p className={styles.nothing}>{communityTexts.noDetections}</p>}
      <ul className={styles.list}>
        {apk.detections.slice(0, 200).map((detection) => (
          <li key={detection.source} data-testid="detection">
            <Chip tone="critical" icon="bug">
              <HostileText value={detection.source} max={80} isFixed />
            </Chip>
            <HostileFacts facts={detection.information} max={20} />
            <time className={shared.note} dateTime={detection.created_at}>
              {formatFull(detection.created_at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

const votesOf = [
  { kind: 'positive', icon: 'shieldCheck' },
  { kind: 'negative', icon: 'bug' },
] as const;

function Votes({ apk }: { apk: ApkDetail }) {
  const votes = useVotes(apk.sha256);
  const vote = useVote(apk.sha256);
  const account = useAccount();
  const list = votes.data?.items ?? [];
  const own = list.find(({ analyst }) => analyst === account.data?.username);
  return (
    <section className={shared.card} aria-labelledby="votes-title">
      <h2 id="votes-title">
        {communityTexts.votes}
        <Chip tone={apk.rating < 0 ? 'high' : apk.rating > 0 ? 'good' : 'quiet'}>
          {communityTexts.rating(apk.rating)}
        </Chip>
      </h2>
      <div className={styles.buttons}>
        {votesOf.map(({ kind, icon }) => (
          <Button
            key={kind}
            variant="default"
            size="compact-sm"
            disabled={own !== undefined || vote.isPending}
            leftSection={<Icon name={icon} size={14} />}
            onClick={() => vote.mutate(kind)}
          >
            {communityTexts.vote[kind]}
          </Button>
        ))}
      </div>
      {votes.isSuccess && list.length === 0 && <p className={styles.nothing}>{communityTexts.noVotes}</p>}
      <ul className={styles.votes}>
        {list.map(({ analyst, kind, created_at }) => (
          <li key={analyst} data-testid="vote">
            <Chip tone={kind === 'positive' ? 'good' : 'high'}>{communityTexts[kind]}</Chip>
            <AnalystLink username={analyst} />
            <time className={shared.note} dateTime={created_at}>
              {formatFull(created_at)}
            </time>
          </li>
        ))}
      </ul>
      <MoreButton list={votes} label={communityTexts.earlier} size="compact-sm" mt={0} />
    </section>
  );
}

function Tags({ apk }: { apk: ApkDetail }) {
  const add = useAddTag(apk.sha256);
  const remove = useRemoveTag(apk.sha256);
  const [name, setName] = useInputState('');
  return (
    <section className={shared.card} aria-labelledby="tags-title">
      <h2 id="tags-title">{communityTexts.tags}</h2>
      <div className={styles.tags}>
        {apk.tags.length === 0 && <span className={styles.nothing}>{communityTexts.noTags}</span>}
        {apk.tags.map((tag) => (
          <span key={tag} className={styles.tag} data-testid="tag">
            <Link to={searchAddress(`tag:"${tag}"`)}>
              #<HostileText value={tag} max={50} isFixed />
            </Link>
            <ActionIcon size={24} aria-label={communityTexts.removeTag(tag)} onClick={() => remove.mutate(tag)}>
              <Icon name="close" size={10} />
            </ActionIcon>
          </span>
        ))}
      </div>
      <form
        className={styles.tagForm}
        onSubmit={submitting(() => {
          const tag = name.trim().replace(/^#/, '');
          if (tag !== '') add.mutate(tag, { onSuccess: () => setName('') });
        })}
      >
        <TextInput
          size="xs"
          value={name}
          maxLength={51}
          onChange={setName}
          placeholder={communityTexts.addTag}
          aria-label={communityTexts.addTag}
        />
        <Button type="submit" size="compact-sm" variant="default" loading={add.isPending}>
          {communityTexts.add}
        </Button>
      </form>
    </section>
  );
}

export function Component({ apk }: ApkPartProps) {
  const thread = apkThread(apk.sha256);
  useRefreshOn(apk.comments_count, thread.key);
  useRefreshOn(apk.votes_count, votesKey(apk.sha256));
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <section className={shared.card} aria-labelledby="comments-title">
          <h2 id="comments-title">{commentsTexts.title}</h2>
          <CommentThread thread={thread} />
        </section>
        <ToldSayings sha256={apk.sha256} />
      </div>
      <div className={styles.side}>
        <Votes apk={apk} />
        <Tags apk={apk} />
        <Detections apk={apk} />
      </div>
    </div>
  );
}
