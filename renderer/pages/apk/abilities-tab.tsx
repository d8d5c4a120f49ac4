// What the code does, as functionalities with every place of them. Knows the report only.
import { type ReactNode, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport } from '../../../server/contract/reports.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { className } from '../../components/format.ts';
import { HostileText, visibleString } from '../../components/hostile-text.tsx';
import { codeAddress, seekOf } from '../../components/place-address.ts';
import { StatePanel } from '../../components/state-panel.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import { CutNote } from './cut-note.tsx';
import styles from './parts.module.css';

interface Reference {
  class: string;
  method: string;
  code: string;
}

function addressOf(sha256: string, { class: owner, method, code }: Reference): string {
  const seek = seekOf(code);
  const address = codeAddress(sha256, `${owner}->${method}`);
  return seek === '' ? address : `${address}&${new URLSearchParams({ seek })}`;
}

const textOf = (reference: Reference) => `${className(reference.class)}.${reference.method} ${reference.code}`;

interface ReferencesProps {
  sha256: string;
  name: string;
  references: readonly Reference[];
  note: ReactNode;
}

function References({ sha256, name, references, note }: ReferencesProps) {
  const { filter, setFilter, shown, applied } = useFilter(references, textOf);
  return (
    <div className={styles.detail}>
      <FilterBar
        value={filter}
        onChange={setFilter}
        label={texts.filter.of(name)}
        shown={shown.length}
        total={references.length}
      >
        {note}
      </FilterBar>
      <VirtualRows key={applied} count={shown.length} rowHeight={46} label={name} isNavigable isMain>
        {(index) => {
          const reference = shown[index];
          if (reference === undefined) return null;
          return (
            <div className={styles.reference} data-testid="reference">
              <CopyButton
                text={`${reference.class}->${reference.method} ${reference.code}`}
                what={visibleString(`${className(reference.class)}.${reference.method}`, 200)}
              />
              <Link to={addressOf(sha256, reference)} className={styles.oneLine}>
                <HostileText value={className(reference.class)} max={200} mono isFixed />
                <b>
                  .<HostileText value={reference.method} max={120} mono isFixed />
                </b>
              </Link>
              <span className={`${styles.oneLine} ${styles.instruction}`} title={reference.code.slice(0, 600)}>
                <HostileText value={reference.code} max={400} mono isFixed />
              </span>
            </div>
          );
        }}
      </VirtualRows>
    </div>
  );
}

export function AbilitiesTab({ apk, report }: { apk: ApkDetail; report: AndroguardReport }) {
  const [parameters, setParameters] = useSearchParams();
  const groups = useMemo(
    () =>
      Object.entries(report.functionalities)
        .map(([name, references]) => ({ name, references: references ?? [] }))
        .filter(({ references }) => references.length > 0)
        .sort((a, b) => b.references.length - a.references.length),
    [report.functionalities],
  );
  if (groups.length === 0) return <StatePanel icon="file" title={texts.summary.noAbilities} />;
  const chosen = groups.find(({ name }) => name === parameters.get('name')) ?? groups[0]!;
  return (
    <div className={styles.split}>
      <nav className={styles.side} aria-label={texts.summary.abilities}>
        {groups.map(({ name, references }) => (
          <button
            key={name}
            type="button"
            aria-current={name === chosen.name ? 'true' : undefined}
            onClick={() => setParameters({ name }, { replace: true })}
          >
            <span>{texts.functionalities[name] ?? name}</span>
            <span className="tabular">{formatCount(references.length)}</span>
          </button>
        ))}
      </nav>
      <References
        key={chosen.name}
        sha256={apk.sha256}
        name={texts.functionalities[chosen.name] ?? chosen.name}
        references={chosen.references}
        note={<CutNote report={report} list={`functionalities ${chosen.name}`} />}
      />
    </div>
  );
}
