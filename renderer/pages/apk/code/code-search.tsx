// A search over all code of an APK and its hits. Knows what a hit is, not where it leads.
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CodeHit } from '../../../../server/contract/engine/exploration.ts';
import { useCodeSearch } from '../../../api/apk-queries.ts';
import { submitting } from '../../../components/form/submitting.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import styles from './code.module.css';
import type { CodeState } from './code-address.ts';
import { codeTexts } from './texts.ts';

type Search = Pick<CodeState, 'only' | 'q' | 'kinds' | 'regex' | 'isCaseSensitive'>;

interface CodeSearchProps {
  sha256: string;
  search: Search;
  onSearch: (search: Search) => void;
  onHit: (hit: CodeHit) => void;
}

/** The last part of a class's name, with the member behind it. */
function shownText({ kind, text }: CodeHit): string {
  if (kind === 'string') return `"${text}"`;
  const [, name = text, member = ''] = /^L(?:[^;]*\/)?([^;/]+);(.*)$/s.exec(text) ?? [];
  return `${name}${member.replace(/^->/, '.')}`;
}

/** The package, by which names are told apart. */
const placeText = ({ kind, text, dex }: CodeHit): string =>
  kind === 'string' ? dex : (/^L([^;]*)\//.exec(text)?.[1]?.replaceAll('/', '.') ?? dex);

const kinds = Object.keys(codeTexts.kinds);

interface HitsProps extends Omit<CodeSearchProps, 'onSearch'> {
  /** Ends a search that goes on. */
  onStop?: () => void;
}

export function Hits({ sha256, search, onHit, onStop }: HitsProps) {
  const pages = useCodeSearch(sha256, search);
  const hits = pages.data?.pages.flatMap(({ results }) => results) ?? [];
  if (!pages.isSuccess) {
    return (
      <>
        <QueryState query={pages} />
        {pages.isFetching && onStop !== undefined && (
          <div className={styles.going}>
            <Button size="compact-xs" variant="default" onClick={onStop}>
              {codeTexts.javaSearch.stop}
            </Button>
          </div>
        )}
      </>
    );
  }
  const first = pages.data.pages[0]!;
  if (hits.length === 0) return <StatePanel icon="search" title={codeTexts.noHits} />;
  return (
    <>
      <p className={styles.count} role="status">
        {codeTexts.hits(first.count, first.is_cut)}
      </p>
      <ListRows key={JSON.stringify(search)} rows={hits} list={pages} rowHeight={44} label={codeTexts.searchLabel}>
        {(hit) => (
          <button type="button" className={styles.hit} data-testid="code-hit" onClick={() => onHit(hit)}>
            <span className={styles.hitText} title={visibleString(hit.text)}>
              <HostileText value={shownText(hit)} max={220} mono isFixed />
              {hit.renamed !== null && (
                <>
                  {' '}
                  {codeTexts.renamed} <HostileText value={hit.renamed} max={120} mono isFixed />
                </>
              )}
            </span>
            <span className={styles.hitNote}>
              <Chip tone="quiet">{hit.kind}</Chip>
              {codeTexts.uses(hit.uses)}
              <span className={styles.oneLine}>
                <HostileText value={placeText(hit)} max={160} isFixed />
              </span>
            </span>
          </button>
        )}
      </ListRows>
    </>
  );
}

export function CodeSearchPanel({ sha256, search, onSearch, onHit }: CodeSearchProps) {
  const [text, setText] = useState(search.q);
  useEffect(() => setText(search.q), [search.q]);
  const chosen = search.kinds === '' ? kinds : search.kinds.split(',');
  const toggle = (kind: string) => {
    const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
    onSearch({ ...search, q: text, kinds: next.length === 0 || next.length === kinds.length ? '' : next.join(',') });
  };
  return (
    <div className={styles.search}>
      <form className={styles.searchForm} onSubmit={submitting(() => onSearch({ ...search, q: text }))}>
        <div className={styles.searchLine}>
          <TextInput
            size="xs"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            placeholder={codeTexts.searchPlaceholder}
            aria-label={codeTexts.searchLabel}
            spellCheck={false}
            maxLength={1000}
            data-autofocus
          />
          <Button type="submit" size="compact-sm" aria-label={codeTexts.searchLabel}>
            <Icon name="search" size={14} />
          </Button>
        </div>
        <div className={styles.options}>
          <Checkbox
            size="xs"
            label={codeTexts.regex}
            checked={search.regex}
            onChange={(event) => onSearch({ ...search, q: text, regex: event.currentTarget.checked })}
          />
          <Checkbox
            size="xs"
            label={codeTexts.matchCase}
            checked={search.isCaseSensitive}
            onChange={(event) => onSearch({ ...search, q: text, isCaseSensitive: event.currentTarget.checked })}
          />
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a layout of its own */}
        <div className={styles.kinds} role="group" aria-label={codeTexts.kindChoice}>
          {kinds.map((kind) => (
            <button key={kind} type="button" aria-pressed={chosen.includes(kind)} onClick={() => toggle(kind)}>
              {codeTexts.kinds[kind]}
            </button>
          ))}
        </div>
      </form>
      {search.q !== '' && (
        <Hits sha256={sha256} search={search} onHit={onHit} onStop={() => onSearch({ ...search, q: '' })} />
      )}
    </div>
  );
}
