// The reports as they are: a JSON tree that opens part by part. Knows JSON, not what it means.
import { Button } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useReportPart } from '../../../api/apk-queries.ts';
import { saveFile } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { FilterField } from '../../../components/table/filter-field.tsx';
import { VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { CopyAll } from '../../../components/text/copy-all.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { type JsonLine, jsonLines, maxFound } from './json-lines.ts';
import styles from './raw.module.css';
import { rawTexts } from './texts.ts';

function Value({ line }: { line: JsonLine }) {
  const { value, members } = line;
  if (members !== null) {
    const [before, after] = Array.isArray(value) ? '[]' : '{}';
    return (
      <span className={shared.faint}>
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

export function Component({ apk: { sha256 } }: ApkPartProps) {
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
      <div className={shared.toolbar}>
        <Segments
          label={rawTexts.part}
          value={chosen}
          onChange={(part) => setParameters(part === 'androguard' ? {} : { report: part }, { replace: true })}
          segments={parts.map((name) => ({ value: name, label: name }))}
        />
        <FilterField value={typed} onChange={find} label={rawTexts.find} placeholder={rawTexts.find} />
        <CopyAll text={whole} label={rawTexts.copy} isEmpty={root === null} />
        <Button
          variant="default"
          size="compact-sm"
          disabled={root === null}
          onClick={() => saveFile([whole()], `${sha256}.${chosen}.json`, 'application/json')}
        >
          {rawTexts.save}
        </Button>
        {text !== '' && lines.length >= maxFound && (
          <span className={shared.note} role="status">
            {rawTexts.foundCut(lines.length)}
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
        <StatePanel icon="search" title={rawTexts.notFound} />
      ) : (
        <VirtualRows
          key={`${chosen} ${text}`}
          count={lines.length}
          rowHeight={22}
          isMeasured
          label={rawTexts.label}
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
