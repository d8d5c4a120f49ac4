// What a search in the files of APKs has found so far, each place with the bytes around it. Knows no syntax of searches.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { ContentHit, ContentSearch } from '../../../server/contract/catalogue/content-search.ts';
import { ApiError } from '../../api/client.ts';
import {
  beginAgain,
  useBegunContentSearch,
  useCancelContentSearch,
  useContentHits,
  useContentSearch,
} from '../../api/content-queries.ts';
import { usePageTitle } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { ApkLink } from '../../components/place/named-link.tsx';
import { bytesAddress } from '../../components/place/place-address.ts';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { formatDuration } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import styles from './content-hits.module.css';
import { SearchFault } from './search-fault.tsx';
import { shownBytes } from './shown-bytes.ts';
import { contentTexts as words } from './texts.ts';

export function ContentHits({ search }: { search: string }) {
  const begun = useBegunContentSearch(search);
  usePageTitle(search);
  if (begun.error instanceof ApiError && begun.error.status === 400)
    return <SearchFault search={search} fault={begun.error} />;
  if (begun.isError) return <ErrorPanel error={begun.error} onRetry={() => void begun.refetch()} isPage />;
  if (!begun.isSuccess) return <LoadingPanel label={words.asking} />;
  return <Hits begun={begun.data} />;
}

function Hits({ begun }: { begun: ContentSearch }) {
  const state = useContentSearch(begun.id);
  const hits = useContentHits(begun.id);
  if (state.isError) {
    const again = () => void beginAgain(begun.search);
    return <ErrorPanel error={state.error} onRetry={again} isPage />;
  }
  const run = state.data ?? begun;
  const isOver = run.status !== 'running';
  const items = hits.data?.items ?? [];
  return (
    <div className={styles.page}>
      <ContentBar run={run} />
      {isOver && run.found_count === 0 && hits.isSuccess ? (
        <StatePanel icon="search" title={words.nothing} isPage>
          <p>{words.nothingNote(run.apks_count, run.read_count)}</p>
        </StatePanel>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <section className={styles.hits} aria-label={words.title} tabIndex={0}>
          {items.map((hit) => (
            <Hit key={hit.apk.sha256} hit={hit} run={run} />
          ))}
          <MoreButton list={hits} />
        </section>
      )}
    </div>
  );
}

function ContentBar({ run }: { run: ContentSearch }) {
  const cancel = useCancelContentSearch(run.id);
  const isRunning = run.status === 'running';
  const unaided = run.contents.filter(({ is_indexed: isIndexed }) => isIndexed === false);
  const left = run.seconds_left === null ? '' : words.left(formatDuration(run.seconds_left * 1000));
  return (
    <header className={styles.bar}>
      <div className={styles.line}>
        <h1>{words.title}</h1>
        <span className={`${styles.soft} tabular`} role="status" data-testid="content-search">
          {words.states[run.status]} · {words.progress(run)}
          {isRunning ? left : words.took(formatDuration(run.seconds * 1000))}
        </span>
        <span className={styles.spacer} />
        {isRunning ? (
          <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.stop}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void beginAgain(run.search)}>
            {words.again}
          </Button>
        )}
      </div>
      {isRunning && <ProgressBar share={run.read_count / Math.max(1, run.candidates_count)} label={words.title} />}
      {run.error !== null && <p className={styles.error}>{run.error}</p>}
      {run.failed_count > 0 && <p className={styles.error}>{words.failed(run.failed_count)}</p>}
      {unaided.map(({ content }) => (
        <p key={content} className={styles.soft} data-testid="content-unaided">
          <HostileText value={content} max={80} mono isFixed /> {words.unaided}
        </p>
      ))}
    </header>
  );
}

function Hit({ hit: { apk, contents }, run }: { hit: ContentHit; run: ContentSearch }) {
  return (
    <section className={styles.hit} data-testid="content-hit">
      <div>
        <ApkLink apk={apk} title={apk.sha256} />{' '}
        <span className={styles.soft}>
          <HostileText value={apk.version} max={40} isFixed /> <code>{apk.sha256.slice(0, 12)}</code>{' '}
          <HostileText value={apk.package_name} max={100} mono isFixed />
        </span>
      </div>
      {contents?.map(({ count, places }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the contents of a search never change places
        <Places key={index} sha256={apk.sha256} places={places} more={count - places.length} run={run} index={index} />
      ))}
    </section>
  );
}

interface PlacesProps {
  sha256: string;
  places: NonNullable<ContentHit['contents']>[number]['places'];
  more: number;
  run: ContentSearch;
  index: number;
}

function Places({ sha256, places, more, run, index }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <>
      {run.contents.length > 1 && (
        <div className={styles.soft}>
          <HostileText value={run.contents[index]!.content} max={80} mono isFixed />
        </div>
      )}
      {places.map(({ file, offset, length, before, found, after }) => {
        const [left, middle, right] = shownBytes(before, found, after);
        return (
          <div key={`${offset} ${length} ${file}`} className={styles.place}>
            <Link to={bytesAddress(sha256, file, offset, length)}>
              <HostileText value={file === '' ? words.itself : file} max={80} mono isFixed />{' '}
              <span className="tabular">0x{offset.toString(16)}</span>
            </Link>
            <code className={styles.bytes}>
              {left}
              <mark className={styles.found}>{middle}</mark>
              {right}
            </code>
          </div>
        );
      })}
      {more > 0 && <div className={styles.soft}>{words.more(more)}</div>}
    </>
  );
}
