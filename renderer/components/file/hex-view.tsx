// Bytes as rows of hexadecimal and text, fetched page by page as they come into view. Knows nothing of what they are.
import { Button, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { contentPageOptions, contentPageSize, type EntryPlace } from '../../api/apk-queries.ts';
import { hexOf } from '../code/byte-rule.ts';
import { ByteRuleButton } from '../code/byte-rule-button.tsx';
import { submitting } from '../form/submitting.ts';
import { QueryState } from '../page/state-panel.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../table/virtual-rows.tsx';
import { formatCount } from '../text/counted.ts';
import { ByteSearch } from './byte-search.tsx';
import { EntropyStrip } from './entropy-strip.tsx';
import styles from './hex-view.module.css';
import { hexTexts } from './texts.ts';

const rowLength = 16;
const rowsPerPage = contentPageSize / rowLength;
/** Browsers end elements at some 30 million pixels: longer files are shown up to here. */
const maxRows = 1_400_000;

interface HexViewProps {
  sha256: string;
  place: EntryPlace;
  label: string;
  /** Bytes to mark and to begin at. */
  at?: number | undefined;
  length?: number | undefined;
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

function Row({ bytes, offset, from, to }: { bytes: Uint8Array; offset: number; from: number; to: number }) {
  const cells = Array.from(bytes, (byte, index) => {
    const isMarked = offset + index >= from && offset + index < to;
    return { hex: hex[byte]!, text: printable(byte), isMarked, isZero: byte === 0 };
  });
  const classOf = ({ isMarked, isZero }: { isMarked: boolean; isZero: boolean }) =>
    isMarked ? styles.marked : isZero ? styles.zero : undefined;
  return (
    <div className={styles.row}>
      <span className={styles.offset}>{offset.toString(16).padStart(8, '0')}</span>
      <span className={styles.bytes}>
        {cells.map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a byte has no other name than its place
          <span key={index} className={classOf(cell)}>
            {cell.hex}
          </span>
        ))}
      </span>
      <span className={styles.text}>
        {cells.map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a byte has no other name than its place
          <span key={index} className={classOf(cell)}>
            {cell.text}
          </span>
        ))}
      </span>
    </div>
  );
}

/** How long the file is, and a field for the offset to go to: hexadecimal, also without `0x`. */
function Bar({ size, onGo, children }: { size: number; onGo: (offset: number) => void; children: ReactNode }) {
  const [target, setTarget] = useInputState('');
  const go = () => {
    const offset = Number(/^[\da-f]+$/i.test(target) && !target.startsWith('0x') ? `0x${target}` : target);
    if (Number.isSafeInteger(offset) && offset >= 0) onGo(offset);
  };
  return (
    <form className={styles.bar} onSubmit={submitting(go)}>
      <TextInput
        size="xs"
        value={target}
        onChange={setTarget}
        placeholder={hexTexts.offset}
        aria-label={hexTexts.goTo}
        spellCheck={false}
      />
      <Button type="submit" size="compact-sm" variant="default">
        {hexTexts.go}
      </Button>
      <span className="tabular">{hexTexts.size(formatCount(size), size.toString(16))}</span>
      {size > maxRows * rowLength && <span>{hexTexts.cut}</span>}
      {children}
    </form>
  );
}

export function HexView({ sha256, place, label, at, length = 1 }: HexViewProps) {
  const start = at ?? 0;
  const firstPage = useQuery(contentPageOptions(sha256, place, Math.floor(start / contentPageSize)));
  const [pages, setPages] = useState<readonly number[]>([Math.floor(start / contentPageSize)]);
  const list = useRef<VirtualRowsHandle>(null);
  const [hit, setHit] = useState<{ offset: number; length: number } | null>(null);
  const marked = hit ?? (at === undefined ? null : { offset: at, length });
  const loaded = useQueries({ queries: pages.map((page) => contentPageOptions(sha256, place, page)) });
  const byPage = useMemo(
    () => new Map(pages.map((page, index) => [page, loaded[index]?.data?.bytes])),
    [pages, loaded],
  );
  const onRange = useCallback((first: number, last: number) => {
    const from = Math.floor(first / rowsPerPage);
    const to = Math.floor(last / rowsPerPage);
    setPages((known) =>
      known.length === to - from + 1 && known[0] === from
        ? known
        : Array.from({ length: to - from + 1 }, (_, i) => from + i),
    );
  }, []);
  const size = firstPage.data?.size ?? 0;
  useEffect(() => {
    if (at !== undefined && size > 0) list.current?.scrollToRow(Math.floor(at / rowLength));
  }, [at, size]);
  const showHit = useCallback((found: { offset: number; length: number }) => {
    setHit(found);
    list.current?.scrollToRow(Math.floor(found.offset / rowLength), 'center');
  }, []);
  const markedFrom = marked === null ? 0 : marked.offset % contentPageSize;
  const markedBytes =
    marked === null
      ? undefined
      : byPage.get(Math.floor(marked.offset / contentPageSize))?.subarray(markedFrom, markedFrom + marked.length);
  const goTo = (offset: number) => list.current?.scrollToRow(Math.floor(offset / rowLength));
  if (!firstPage.isSuccess) return <QueryState query={firstPage} />;
  return (
    <div className={styles.view} data-testid="hex-view">
      <Bar size={size} onGo={goTo}>
        {markedBytes !== undefined && (
          <ByteRuleButton key={marked?.offset} about={label} pattern={hexOf(markedBytes)} />
        )}
      </Bar>
      <ByteSearch sha256={sha256} place={place} onHit={showHit} />
      <EntropyStrip sha256={sha256} place={place} onChoose={goTo} />
      <VirtualRows
        count={Math.min(maxRows, Math.ceil(size / rowLength))}
        rowHeight={20}
        label={label}
        onRange={onRange}
        handle={list}
        initialOffset={Math.max(0, Math.floor(start / rowLength) - 6) * 20}
      >
        {(index) => {
          const offset = index * rowLength;
          const page = byPage.get(Math.floor(index / rowsPerPage));
          if (page === undefined) return <div className={styles.row}>…</div>;
          const within = offset % contentPageSize;
          return (
            <Row
              bytes={page.subarray(within, within + rowLength)}
              offset={offset}
              from={marked?.offset ?? -1}
              to={marked === null ? -1 : marked.offset + marked.length}
            />
          );
        }}
      </VirtualRows>
    </div>
  );
}
