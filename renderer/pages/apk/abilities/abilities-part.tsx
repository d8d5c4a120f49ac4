// What the code does, as functionalities with every place of them. Knows the report only.
import { type ReactNode, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { MethodName } from '../../../components/place/method-name.tsx';
import { codeAddress, seekOf } from '../../../components/place/place-address.ts';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { ListRows } from '../../../components/table/virtual-rows.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { className } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { CutNote } from '../cut-note.tsx';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { summaryTexts } from '../summary/texts.ts';
import styles from './abilities.module.css';
import { functionalitiesTexts } from './texts.ts';

interface Reference {
  class: string;
  method: string;
  code: string;
}

const addressOf = (sha256: string, { class: owner, method, code }: Reference) =>
  codeAddress(sha256, `${owner}->${method}`, seekOf(code));

const textOf = (reference: Reference) => `${className(reference.class)}.${reference.method} ${reference.code}`;

interface ReferencesProps {
  sha256: string;
  name: string;
  references: readonly Reference[];
  note: ReactNode;
}

function References({ sha256, name, references, note }: ReferencesProps) {
  const filtered = useFilter(references, textOf);
  return (
    <div className={shared.detail}>
      <FilterBar list={filtered} label={texts.filter.of(name)}>
        {note}
      </FilterBar>
      <ListRows key={filtered.applied} rows={filtered.shown} rowHeight={46} label={name}>
        {(reference) => (
          <div className={styles.reference} data-testid="reference">
            <CopyButton
              text={`${reference.class}->${reference.method} ${reference.code}`}
              what={visibleString(`${className(reference.class)}.${reference.method}`, 200)}
            />
            <Link to={addressOf(sha256, reference)} className={shared.oneLine}>
              <MethodName owner={reference.class} method={reference.method} />
            </Link>
            <span className={`${shared.oneLine} ${styles.instruction}`} title={reference.code.slice(0, 600)}>
              <HostileText value={reference.code} max={400} mono isFixed />
            </span>
          </div>
        )}
      </ListRows>
    </div>
  );
}

export function Component({ apk, report }: ReportPartProps) {
  const [parameters, setParameters] = useSearchParams();
  const groups = useMemo(
    () =>
      Object.entries(report.functionalities)
        .map(([name, references]) => ({ name, references: references ?? [] }))
        .filter(({ references }) => references.length > 0)
        .sort((a, b) => b.references.length - a.references.length),
    [report.functionalities],
  );
  if (groups.length === 0) return <StatePanel icon="file" title={summaryTexts.noAbilities} />;
  const chosen = groups.find(({ name }) => name === parameters.get('name')) ?? groups[0]!;
  return (
    <div className={shared.split}>
      <nav className={shared.side} aria-label={summaryTexts.abilities}>
        {groups.map(({ name, references }) => (
          <button
            key={name}
            type="button"
            aria-current={name === chosen.name ? 'true' : undefined}
            onClick={() => setParameters({ name }, { replace: true })}
          >
            <span>{functionalitiesTexts[name] ?? name}</span>
            <span className="tabular">{formatCount(references.length)}</span>
          </button>
        ))}
      </nav>
      <References
        key={chosen.name}
        sha256={apk.sha256}
        name={functionalitiesTexts[chosen.name] ?? chosen.name}
        references={chosen.references}
        note={<CutNote report={report} list={`functionalities ${chosen.name}`} />}
      />
    </div>
  );
}
