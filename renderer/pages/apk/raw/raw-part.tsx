// The reports as they are: a JSON tree that opens part by part. Knows JSON, not what it means.
import { Button } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useReportPart } from '../../../api/apk-queries.ts';
import { saveFile } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { FilterField } from '../../../components/table/filter-field.tsx';
import { toggled } from '../../../components/table/toggled.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
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

const parts = Object.keys(rawTexts.parts) as (keyof typeof rawTexts.parts)[];
const nothing: ReadonlySet<string> = new Set();

/** The lines of a report that are open, or that hold what is looked for. */
function useJsonTree(root: unknown) {
  const [open, setOpen] = useState(nothing);
  // Branches that were opened among the results of a search close when another is made.
  const [openFound, setOpenFound] = useState(nothing);
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const shownOpen = text === '' ? open : openFound;
  const lines = useMemo(() => jsonLines(root, shownOpen, text), [root, shownOpen, text]);
  const toggle = (path: string) => (text === '' ? setOpen : setOpenFound)(toggled(shownOpen, path));
  const find = (next: string) => {
    setTyped(next);
    setOpenFound(nothing);
  };
  return { typed, text, lines, toggle, find };
}

function Line({ line, toggle }: { line: JsonLine; toggle: (path: string) => void }) {
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
}

export function Component({ apk: { sha256 } }: ApkPartProps) {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parts.find((part) => part === parameters.get('report')) ?? 'androguard';
  const report = useReportPart(sha256, chosen);
  const root: unknown = report.data ?? null;
  const { typed, text, lines, toggle, find } = useJsonTree(root);
  const whole = () => JSON.stringify(root, null, 1);
  return (
    <>
      <div className={shared.toolbar}>
        <Segments
          label={rawTexts.part}
          value={chosen}
          onChange={(part) => setParameters(part === 'androguard' ? {} : { report: part }, { replace: true })}
          labels={rawTexts.parts}
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
      {!report.isSuccess ? (
        <QueryState query={report} />
      ) : root === null ? (
        <MissingReport sha256={sha256} kind={chosen === 'dynamic' ? 'dynamic' : 'static'} />
      ) : lines.length === 0 ? (
        <StatePanel icon="search" title={rawTexts.notFound} />
      ) : (
        <ListRows key={`${chosen} ${text}`} rows={lines} rowHeight={24} isMeasured label={rawTexts.label}>
          {(line) => <Line line={line} toggle={toggle} />}
        </ListRows>
      )}
    </>
  );
}
