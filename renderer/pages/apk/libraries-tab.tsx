// Trackers and known libraries, by the packages they were known by. Knows the report only.
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport } from '../../../server/contract/reports.ts';
import { Chip, type Tone } from '../../components/chip.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { HostileText } from '../../components/hostile-text.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { TableHead } from '../../components/table.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

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
      <tr className={styles.groupLine}>
        <th colSpan={5} scope="rowgroup">
          <Chip tone={tone}>{title}</Chip>
          <span className="tabular">{formatCount(origins.length)}</span>
        </th>
      </tr>
      {origins.map((origin) => (
        <tr key={`${origin.name} ${origin.prefix}`}>
          <th scope="row">{origin.name}</th>
          <td>{origin.categories.join(', ')}</td>
          <td className={styles.wrap}>
            <code>{origin.prefix}</code>
          </td>
          <td className={`${styles.number} tabular`}>{formatCount(origin.classes)}</td>
          <td className={styles.evidence}>
            <PlaceLink sha256={sha256} place={origin.evidence} max={160} />
          </td>
        </tr>
      ))}
    </>
  );
}

export function LibrariesTab({ apk: { sha256 }, report }: { apk: ApkDetail; report: AndroguardReport }) {
  const trackers = useFilter(report.trackers, textOf);
  const known = useFilter(report.known_libraries, textOf);
  const total = report.trackers.length + report.known_libraries.length;
  if (total + report.libraries.length === 0) return <StatePanel icon="file" title={texts.libraries.none} />;
  return (
    <>
      <FilterBar
        value={trackers.filter}
        onChange={(value) => {
          trackers.setFilter(value);
          known.setFilter(value);
        }}
        label={texts.filter.of(texts.apk.tabs.libraries)}
        shown={trackers.shown.length + known.shown.length}
        total={total}
      />
      <div className={styles.scroll}>
        <table className={styles.table}>
          <TableHead columns={texts.libraries.columns} />
          <tbody>
            <Origins sha256={sha256} title={texts.libraries.trackers} origins={trackers.shown} tone="low" />
            <Origins sha256={sha256} title={texts.libraries.known} origins={known.shown} tone="info" />
          </tbody>
        </table>
        {report.libraries.length > 0 && (
          <p className={styles.paragraph}>
            {texts.libraries.shared}{' '}
            {report.libraries.slice(0, 100).map((name) => (
              <span key={name} className={styles.value}>
                <HostileText value={name} max={120} mono />
              </span>
            ))}
          </p>
        )}
      </div>
    </>
  );
}
