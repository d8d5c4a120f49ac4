// The reports as they are: a JSON tree that opens part by part. Knows JSON, not what it means.
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useReport } from '../../api/queries.ts';
import { copyText } from '../../components/clipboard.ts';
import { formatCount } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { Segments } from '../../components/segments.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

interface TreeLine {
  path: string;
  depth: number;
  name: string;
  value: unknown;
  /** Number of members of an object or array, null for anything else. */
  members: number | null;
}

/** Deeper than any report of ours; what is deeper still is shown as text. */
const maxDepth = 60;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The lines in view: each open object and array with its members. */
function linesOf(root: unknown, open: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = [];
  const visit = (value: unknown, name: string, path: string, depth: number): void => {
    const isInner = isContainer(value) && depth < maxDepth;
    const members = isInner ? (Array.isArray(value) ? value.length : Object.keys(value).length) : null;
    lines.push({ path, depth, name, value, members });
    if (!isInner || !open.has(path)) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, String(index), `${path}/${index}`, depth + 1);
    } else {
      for (const [key, item] of Object.entries(value)) visit(item, key, `${path}/${key}`, depth + 1);
    }
  };
  if (isContainer(root)) for (const [key, item] of Object.entries(root)) visit(item, key, `/${key}`, 0);
  return lines;
}

function Value({ line }: { line: TreeLine }) {
  const { value, members } = line;
  if (members !== null) {
    const [before, after] = Array.isArray(value) ? '[]' : '{}';
    return (
      <span className={styles.faint}>
        {before} {formatCount(members)} {after}
      </span>
    );
  }
  if (typeof value === 'string') {
    return (
      <span className={styles.quoted}>
        <HostileText value={value} max={500} mono />
      </span>
    );
  }
  return <span className={styles.attribute}>{JSON.stringify(value)}</span>;
}

export function RawTab({ sha256 }: { sha256: string }) {
  const report = useReport(sha256);
  const parts = (['androguard', 'cuckoo', 'dynamic'] as const).filter(
    (name) => report.data?.[name] !== null && report.data?.[name] !== undefined,
  );
  const [chosen, setChosen] = useState<(typeof parts)[number]>('androguard');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const root: unknown = report.data?.[chosen] ?? null;
  const lines = useMemo(() => linesOf(root, open), [root, open]);
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  const save = () => {
    const address = URL.createObjectURL(new Blob([JSON.stringify(root, null, 1)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${sha256}.${chosen}.json`;
    link.click();
    // The browser has taken the blob over by the next turn.
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  if (parts.length === 0) return <StatePanel icon="file" title={texts.apk.notAnalyzed} />;
  return (
    <>
      <div className={styles.toolbar}>
        <Segments
          label={texts.raw.part}
          value={chosen}
          onChange={setChosen}
          segments={parts.map((name) => ({ value: name, label: name }))}
        />
        <Button variant="default" size="compact-sm" onClick={() => void copyText(JSON.stringify(root, null, 1))}>
          {texts.raw.copy}
        </Button>
        <Button variant="default" size="compact-sm" onClick={save}>
          {texts.raw.save}
        </Button>
      </div>
      <VirtualRows count={lines.length} rowHeight={22} isMeasured label={texts.apk.tabs.raw}>
        {(index) => {
          const line = lines[index];
          if (line === undefined) return null;
          const isOpen = open.has(line.path);
          return (
            <div className={styles.jsonLine} style={{ paddingLeft: 14 + line.depth * 16 }}>
              {line.members === null || line.members === 0 ? (
                <span className={styles.jsonName}>
                  <HostileText value={line.name} max={120} mono isFixed />
                </span>
              ) : (
                <button type="button" aria-expanded={isOpen} onClick={() => toggle(line.path)}>
                  <Icon name={isOpen ? 'chevronDown' : 'chevron'} size={12} />
                  <HostileText value={line.name} max={120} mono isFixed />
                </button>
              )}
              <Value line={line} />
            </div>
          );
        }}
      </VirtualRows>
    </>
  );
}
