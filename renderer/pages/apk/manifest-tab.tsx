// The decoded manifest with colours and a search. Knows it as text only.
import { ActionIcon, Button } from '@mantine/core';
import { memo, type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useManifest } from '../../api/queries.ts';
import { copyText } from '../../components/clipboard.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { visibleString } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../components/virtual-rows.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

/** A line longer than this is cut on the screen; copying takes the whole document. */
const maxLine = 4000;

/** Tags, attribute names and quoted values of one line; the pattern is linear in the line's length. */
const xmlToken = /(<[/?!]?[^\s<>"'=/]*|\/?>|\?>)|([^\s<>"'=/]+)(?==["'])|("[^"]*"?|'[^']*'?)/g;

function coloured(line: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of line.matchAll(xmlToken)) {
    if (match.index > end) parts.push(visibleString(line.slice(end, match.index), maxLine));
    const kind = match[1] !== undefined ? styles.tag : match[2] !== undefined ? styles.attribute : styles.quoted;
    parts.push(
      <span key={match.index} className={kind}>
        {visibleString(match[0], maxLine)}
      </span>,
    );
    end = match.index + match[0].length;
  }
  if (end < line.length) parts.push(visibleString(line.slice(end), maxLine));
  return parts;
}

/** A line with hits is shown plain, so that a hit may cross the bounds of tags and attributes. */
function marked(line: string, sought: string): ReactNode[] {
  const parts: ReactNode[] = [];
  const lower = line.toLowerCase();
  let end = 0;
  for (let at = lower.indexOf(sought); at !== -1; at = lower.indexOf(sought, end)) {
    if (at > end) parts.push(visibleString(line.slice(end, at), maxLine));
    end = at + sought.length;
    parts.push(<mark key={at}>{visibleString(line.slice(at, end), maxLine)}</mark>);
  }
  parts.push(visibleString(line.slice(end), maxLine));
  return parts;
}

interface LineProps {
  text: string;
  number: number;
  sought: string;
  isCurrent: boolean;
}

const Line = memo(function Line({ text, number, sought, isCurrent }: LineProps) {
  const line = text.slice(0, maxLine);
  const isHit = sought !== '' && line.toLowerCase().includes(sought);
  return (
    <div className={styles.codeLine} data-current={isCurrent || undefined}>
      <span className={styles.lineNumber}>{number}</span>
      <bdi>
        {isHit ? marked(line, sought) : coloured(line)}
        {text.length > maxLine && '…'}
      </bdi>
    </div>
  );
});

function ManifestText({ text }: { text: string }) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const [filter, setFilter] = useState('');
  const sought = useDeferredValue(filter.toLowerCase());
  const hits = useMemo(
    () => (sought === '' ? [] : lines.flatMap((line, index) => (line.toLowerCase().includes(sought) ? [index] : []))),
    [lines, sought],
  );
  const [hit, setHit] = useState(-1);
  const list = useRef<VirtualRowsHandle>(null);
  const go = (by: number) => {
    if (hits.length === 0) return;
    const next = ((((hit === -1 && by < 0 ? 0 : hit) + by) % hits.length) + hits.length) % hits.length;
    setHit(next);
    list.current?.scrollToRow(hits[next]!);
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(1);
        }}
      >
        <FilterBar
          value={filter}
          onChange={(value) => {
            setFilter(value);
            setHit(-1);
          }}
          label={texts.manifest.search}
          shown={sought === '' ? lines.length : hits.length}
          total={lines.length}
        >
          <ActionIcon variant="default" aria-label={texts.manifest.previous} onClick={() => go(-1)}>
            <Icon name="up" size={14} />
          </ActionIcon>
          <Button type="submit" variant="default" size="compact-sm" disabled={hits.length === 0}>
            {texts.manifest.next}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => void copyText(text)}>
            {texts.manifest.copy}
          </Button>
        </FilterBar>
      </form>
      <VirtualRows count={lines.length} rowHeight={20} isMeasured label={texts.apk.tabs.manifest} handle={list}>
        {(index) => (
          <Line text={lines[index] ?? ''} number={index + 1} sought={sought} isCurrent={hits[hit] === index} />
        )}
      </VirtualRows>
    </>
  );
}

export function ManifestTab({ sha256 }: { sha256: string }) {
  const manifest = useManifest(sha256);
  if (manifest.isPending) return <LoadingPanel />;
  if (manifest.isError) return <ErrorPanel error={manifest.error} onRetry={() => void manifest.refetch()} />;
  if (manifest.data.manifest === null) return <StatePanel icon="warning" title={texts.manifest.unreadable} />;
  return <ManifestText text={manifest.data.manifest} />;
}
