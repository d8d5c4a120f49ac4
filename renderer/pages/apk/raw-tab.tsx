// The reports as they are: a JSON tree that opens part by part. Knows JSON, not what it means.
import { Button } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import { useReportPart } from '../../api/apk-queries.ts';
import { CopyAll } from '../../components/copy-all.tsx';
import { FilterField } from '../../components/filter-field.tsx';
import { HostileText } from '../../components/hostile-text.tsx';
import { Icon } from '../../components/icon.tsx';
import { MissingReport } from '../../components/missing-report.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Segments } from '../../components/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import { type JsonLine, jsonLines, maxFound } from './json-lines.ts';
import styles from './parts.module.css';

function Value({ line }: { line: JsonLine }) {
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
        <HostileText value={value} max={500} />
      </span>
    );
  }
  return <span className={styles.attribute}>{JSON.stringify(value)}</span>;
}

const parts = ['androguard', 'cuckoo', 'dynamic'] as const;
const nothing: ReadonlySet<string> = new Set();

export function RawTab({ apk: { sha256 } }: { apk: ApkDetail }) {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parts.find((part) => part === parameters.get('report')) ?? 'androguard';
  const report = useReportPart(sha256, chosen);
  const [open, setOpen] = useState(nothing);
  // What is opened among what was found is no longer open when something else is looked for.
  const [openFound, setOpenFound] = useState(nothing);
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const root: unknown = report.data ?? null;
  const shownOpen = text === '' ? open : openFound;
  const lines = useMemo(() => jsonLines(root, shownOpen, text), [root, shownOpen, text]);
  const toggle = (path: string) => {
    const next = new Set(shownOpen);
    if (!next.delete(path)) next.add(path);
    (text === '' ? setOpen : setOpenFound)(next);
  };
  const find = (next: string) => {
    setTyped(next);
    setOpenFound(nothing);
  };
  const whole = () => JSON.stringify(root, null, 1);
  return (
    <>
      <div className={styles.toolbar}>
        <Segments
          label={texts.raw.part}
          value={chosen}
          onChange={(part) => setParameters(part === 'androguard' ? {} : { report: part }, { replace: true })}
          segments={parts.map((name) => ({ value: name, label: name }))}
        />
        <FilterField value={typed} onChange={find} label={texts.raw.find} placeholder={texts.raw.find} />
        <CopyAll text={whole} label={texts.raw.copy} isEmpty={root === null} />
        <Button
          variant="default"
          size="compact-sm"
          disabled={root === null}
          onClick={() => saveFile([whole()], `${sha256}.${chosen}.json`, 'application/json')}
        >
          {texts.raw.save}
        </Button>
        {text !== '' && lines.length >= maxFound && (
          <span className={styles.note} role="status">
            {texts.raw.foundCut(lines.length)}
          </span>
        )}
      </div>
      {report.isPending ? (
        <LoadingPanel />
      ) : report.isError ? (
        <ErrorPanel error={report.error} onRetry={() => void report.refetch()} />
      ) : root === null ? (
        <MissingReport sha256={sha256} kind={chosen === 'dynamic' ? 'dynamic' : 'static'} />
      ) : lines.length === 0 ? (
        <StatePanel icon="search" title={texts.raw.notFound} />
      ) : (
        <VirtualRows
          key={`${chosen} ${text}`}
          count={lines.length}
          rowHeight={22}
          isMeasured
          label={texts.apk.tabs.raw}
          isNavigable
          isMain
        >
          {(index) => {
            const line = lines[index];
            if (line === undefined) return null;
            const { isOpen } = line;
            return (
              <div className={styles.jsonLine} style={{ paddingLeft: 14 + line.depth * 16 }}>
                {line.members === null || line.members === 0 ? (
                  <span className={styles.jsonName}>
                    <HostileText value={line.name} max={120} isFixed />
                  </span>
                ) : (
                  <button type="button" aria-expanded={isOpen} onClick={() => toggle(line.path)}>
                    <Icon name={isOpen ? 'chevronDown' : 'chevron'} size={12} />
                    <HostileText value={line.name} max={120} isFixed />
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
