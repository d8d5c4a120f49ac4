// A search over the Java of an APK, whose lines come while it goes on. Knows what a line is, not where it leads.
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { JavaSearch } from '../../../../server/contract/engine/java-source.ts';
import { useJavaSearch } from '../../../api/apk-queries.ts';
import { submitting } from '../../../components/form/submitting.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { ProgressBar } from '../../../components/status/progress-bar.tsx';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { className } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './code.module.css';
import type { CodeState } from './code-address.ts';
import { codeTexts } from './texts.ts';

export type JavaHit = JavaSearch['results'][number];
type Search = Pick<CodeState, 'only' | 'q' | 'isCaseSensitive'>;

/** Lines after which a search waits to be told to go on. */
const linesAtOnce = 1000;
const words = codeTexts.javaSearch;

function Hits({ sha256, search, onHit }: { sha256: string; search: Search; onHit: (hit: JavaHit) => void }) {
  const pages = useJavaSearch(sha256, search);
  const [wanted, setWanted] = useState(linesAtOnce);
  const hits = pages.data?.pages.flatMap(({ results }) => results) ?? [];
  const last = pages.data?.pages.at(-1);
  const isWanted = hits.length < wanted;
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && isWanted && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isWanted, isFetching, isError, fetchNextPage]);
  if (last === undefined) return <QueryState query={pages} label={words.begins} />;
  const failed = pages.data!.pages.reduce((sum, page) => sum + page.failed, 0);
  const isGoing = hasNextPage && isWanted && !isError;
  return (
    <>
      <p className={styles.count} role="status">
        {words.hits(hits.length, last.searched, last.total)} {failed > 0 && words.failed(failed)}
      </p>
      {hasNextPage && (
        <div className={styles.going}>
          <ProgressBar share={last.searched / last.total} label={words.progress} />
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              isGoing ? setWanted(0) : isError ? void fetchNextPage() : setWanted(hits.length + linesAtOnce)
            }
          >
            {isGoing ? words.stop : words.goOn}
          </Button>
        </div>
      )}
      {isError && <QueryState query={pages} />}
      {hits.length === 0 && !isGoing && !isError && <StatePanel icon="search" title={words.none} />}
      <ListRows rows={hits} rowHeight={44} label={words.label}>
        {(hit) => (
          <button type="button" className={styles.hit} data-testid="java-hit" onClick={() => onHit(hit)}>
            <span className={styles.hitText} title={visibleString(hit.text)}>
              <HostileText value={hit.text} max={220} mono isFixed />
            </span>
            <span className={styles.hitNote}>
              <span className={styles.oneLine}>
                <HostileText value={className(hit.class)} max={160} isFixed />
              </span>
              <span className="tabular">{words.line(hit.line)}</span>
            </span>
          </button>
        )}
      </ListRows>
    </>
  );
}

interface JavaSearchProps {
  sha256: string;
  search: Search;
  onSearch: (search: Search) => void;
  onHit: (hit: JavaHit) => void;
}

export function JavaSearchPanel({ sha256, search, onSearch, onHit }: JavaSearchProps) {
  const { q, isCaseSensitive } = search;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  return (
    <div className={styles.search}>
      <form
        className={styles.searchForm}
        onSubmit={submitting(() => onSearch({ ...search, q: text, isCaseSensitive }))}
      >
        <div className={styles.searchLine}>
          <TextInput
            size="xs"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            placeholder={words.placeholder}
            aria-label={words.label}
            spellCheck={false}
            maxLength={1000}
            data-autofocus
          />
          <Button type="submit" size="compact-sm" aria-label={words.label}>
            <Icon name="search" size={14} />
          </Button>
        </div>
        <Checkbox
          size="xs"
          label={codeTexts.matchCase}
          checked={isCaseSensitive}
          onChange={(event) => onSearch({ ...search, q: text, isCaseSensitive: event.currentTarget.checked })}
        />
      </form>
      {q !== '' && (
        <Hits key={`${q} ${search.only} ${isCaseSensitive}`} sha256={sha256} search={search} onHit={onHit} />
      )}
    </div>
  );
}
