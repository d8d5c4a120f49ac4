// Trackers and known libraries, with the packages they were recognised by. Knows the report only.

import { useMemo } from 'react';
import type { AndroguardReport } from '../../../../server/contract/engine/reports.ts';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { PlaceLink } from '../../../components/place/place-link.tsx';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { TableHead } from '../../../components/table/table.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { Chip, type Tone } from '../../../components/text/chip.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import styles from './libraries.module.css';
import { librariesTexts } from './texts.ts';

type Origin = AndroguardReport['trackers'][number];

const textOf = ({ name, categories, prefix }: Origin) => `${name} ${categories.join(' ')} ${prefix}`;

interface OriginsProps {
  sha256: string;
  title: string;
  origins: readonly Origin[];
  tone: Tone;
}

function Origins({ sha256, title, origins, tone }: OriginsProps) {
  if (origins.length === 0) return null;
  return (
    <>
      <tr className={shared.groupLine}>
        <th colSpan={5} scope="rowgroup">
          <Chip tone={tone}>{title}</Chip>
          <span className="tabular">{formatCount(origins.length)}</span>
        </th>
      </tr>
      {origins.map((origin) => (
        <tr key={`${origin.name} ${origin.prefix}`}>
          <th scope="row">{origin.name}</th>
          <td>{origin.categories.join(', ')}</td>
          <td className={shared.wrap}>
            <code>{origin.prefix}</code>
          </td>
          <td className={`${shared.number} tabular`}>{formatCount(origin.classes)}</td>
          <td className={styles.evidence}>
            <PlaceLink sha256={sha256} place={origin.evidence} max={160} />
          </td>
        </tr>
      ))}
    </>
  );
}

export function Component({ apk: { sha256 }, report }: ReportPartProps) {
  const { trackers, known_libraries } = report;
  const filtered = useFilter(
    useMemo(() => [...trackers, ...known_libraries], [trackers, known_libraries]),
    textOf,
  );
  const isTracker = new Set(trackers);
  const [shownTrackers = [], shownLibraries = []] = [true, false].map((wanted) =>
    filtered.shown.filter((origin) => isTracker.has(origin) === wanted),
  );
  if (filtered.total + report.libraries.length === 0) return <StatePanel icon="file" title={librariesTexts.none} />;
  return (
    <>
      <FilterBar list={filtered} label={texts.filter.of(librariesTexts.label)} />
      <div className={shared.scroll}>
        <table className={shared.table}>
          <TableHead columns={librariesTexts.columns} />
          <tbody>
            <Origins sha256={sha256} title={librariesTexts.trackers} origins={shownTrackers} tone="low" />
            <Origins sha256={sha256} title={librariesTexts.known} origins={shownLibraries} tone="info" />
          </tbody>
        </table>
        {report.libraries.length > 0 && (
          <p className={styles.paragraph}>
            {librariesTexts.shared}{' '}
            {report.libraries.slice(0, 100).map((name) => (
              <span key={name} className={shared.value}>
                <HostileText value={name} max={120} mono />
              </span>
            ))}
          </p>
        )}
      </div>
    </>
  );
}
