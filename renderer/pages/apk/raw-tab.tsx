// The reports as they are: a JSON tree that opens part by part. Knows JSON, not what it means.
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { CopyAll } from '../../components/copy-all.tsx';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { MissingReport } from '../../components/missing-report.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Segments } from '../../components/segments.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
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

const parts = ['androguard', 'cuckoo', 'dynamic'] as const;

export function RawTab({ apk: { sha256 } }: { apk: ApkDetail }) {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parts.find((part) => part === parameters.get('report')) ?? 'androguard';
  const report = useReportPart(sha256, chosen);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const root: unknown = report.data ?? null;
  const lines = useMemo(() => linesOf(root, open), [root, open]);
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  const text = () => JSON.stringify(root, null, 1);
  return (
    <>
      <div className={styles.toolbar}>
        <Segments
          label={texts.raw.part}
          value={chosen}
          onChange={(part) => setParameters(part === 'androguard' ? {} : { report: part }, { replace: true })}
          segments={parts.map((name) => ({ value: name, label: name }))}
        />
        <CopyAll text={text} label={texts.raw.copy} isEmpty={root === null} />
        <Button
          variant="default"
          size="compact-sm"
          disabled={root === null}
          onClick={() => saveFile([text()], `${sha256}.${chosen}.json`, 'application/json')}
        >
          {texts.raw.save}
        </Button>
      </div>
      {report.isPending ? (
        <LoadingPanel />
      ) : report.isError ? (
        <ErrorPanel error={report.error} onRetry={() => void report.refetch()} />
      ) : root === null ? (
        <MissingReport sha256={sha256} kind={chosen === 'dynamic' ? 'dynamic' : 'static'} />
      ) : (
        <VirtualRows count={lines.length} rowHeight={22} isMeasured label={texts.apk.tabs.raw} isNavigable isMain>
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
      )}
    </>
  );
}
