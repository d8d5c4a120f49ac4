// Packages and classes as a tree that loads level by level. Knows names only.
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { CodePackage } from '../../../../server/contract/engine/exploration.ts';
import { codePackageOptions } from '../../../api/apk-queries.ts';
import { toggled } from '../../../components/table/toggled.ts';
import { type TreeRow, TreeRows } from '../../../components/table/tree-rows.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import styles from './code.module.css';
import { codeTexts } from './texts.ts';

interface ClassTreeProps {
  sha256: string;
  /** The dex file whose classes are shown, null for all. */
  dex: string | null;
  /** Opened so far where no class is chosen, `com.example`. */
  packageName: string;
  chosen: string | null;
  onChoose: (name: string) => void;
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1);
const simpleName = (descriptor: string) => lastPart(descriptor.replace(/^L/, '').replace(/;$/, ''));
const kindMarks: Record<CodePackage['classes'][number]['kind'], string> = {
  class: '',
  abstract: 'abstract',
  interface: 'interface',
  enum: 'enum',
  annotation: '@',
};

function ancestorsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** @returns rows, and the packages that stand open and are not loaded yet */
function walk(loaded: ReadonlyMap<string, CodePackage>, isOpen: (name: string, isOnly: boolean) => boolean) {
  const rows: TreeRow[] = [];
  const missing: string[] = [];
  const visit = (name: string, depth: number): void => {
    const level = loaded.get(name);
    if (level === undefined) {
      missing.push(name);
      rows.push({ id: `loading ${name}`, depth, isOpen: null, label: texts.state.loading });
      return;
    }
    const isOnly = level.packages.length === 1 && level.classes_count === 0;
    for (const below of level.packages) {
      const open = isOpen(below.name, isOnly);
      rows.push({
        id: `package ${below.name}`,
        depth,
        isOpen: open,
        icon: 'folder',
        label: (
          <span className={below.is_library ? styles.soft : undefined}>
            <HostileText value={lastPart(below.name)} max={80} isLtr isFixed />
          </span>
        ),
        note: formatCount(below.classes),
      });
      if (open) visit(below.name, depth + 1);
    }
    for (const { name: descriptor, renamed, kind } of level.classes) {
      rows.push({
        id: descriptor,
        depth,
        isOpen: null,
        label: <HostileText value={renamed ?? simpleName(descriptor)} max={120} isLtr isFixed />,
        note: kindMarks[kind],
      });
    }
    if (level.classes_count > level.classes.length) {
      const rest = texts.filter.rest(level.classes_count - level.classes.length);
      rows.push({ id: `rest ${name}`, depth, isOpen: null, label: rest });
    }
  };
  visit('', 0);
  return { rows, missing };
}

export function ClassTree({ sha256, dex, packageName, chosen, onChoose }: ClassTreeProps) {
  const [wanted, setWanted] = useState<readonly string[]>(['']);
  /** Packages that were opened or closed by hand, against their default. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const levels = useQueries({
    queries: wanted.map((name) => codePackageOptions(sha256, name, dex)),
    combine: (results) => results.map(({ data, isError }) => ({ data, isError })),
  });
  const opened = useMemo(() => {
    const path = chosen === null ? packageName.replaceAll('.', '/') : chosen.slice(1).replace(/\/?[^/]*$/, '');
    return new Set(ancestorsOf(path));
  }, [chosen, packageName]);
  const { rows, missing } = useMemo(() => {
    const loaded = new Map<string, CodePackage>();
    for (const [index, name] of wanted.entries()) {
      const level = levels[index];
      if (level?.data !== undefined) loaded.set(name, level.data);
      else if (level?.isError) loaded.set(name, { package: name, packages: [], classes_count: 0, classes: [] });
    }
    return walk(loaded, (name, isOnly) => turned.has(name) !== (isOnly || opened.has(name)));
  }, [levels, wanted, turned, opened]);
  const missed = missing.filter((name) => !wanted.includes(name)).join('\n');
  useEffect(() => {
    if (missed !== '') setWanted((known) => [...known, ...missed.split('\n')]);
  }, [missed]);
  return (
    <TreeRows
      rows={rows}
      label={codeTexts.tree}
      chosen={chosen}
      onToggle={(id) => setTurned(toggled(turned, id.slice('package '.length)))}
      onChoose={(id) => {
        if (!/^(?:loading|rest) /.test(id)) onChoose(id);
      }}
    />
  );
}
