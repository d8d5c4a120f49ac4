// Permissions by protection level. Knows the report only.
import { Fragment } from 'react';
import type { AndroguardReport, PermissionDetail } from '../../../server/contract/reports.ts';
import { Chip, type Tone } from '../../components/chip.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { HostileText } from '../../components/hostile-text.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

type Level = PermissionDetail['protection_level'];

const levels: { level: Level; tone: Tone }[] = [
  { level: 'dangerous', tone: 'high' },
  { level: 'signatureOrSystem', tone: 'medium' },
  { level: 'signature', tone: 'medium' },
  { level: 'internal', tone: 'medium' },
  { level: 'unknown', tone: 'low' },
  { level: 'normal', tone: 'quiet' },
];

const textOf = (permission: PermissionDetail) => `${permission.name} ${permission.description ?? ''}`;

/** A hostile manifest may ask for tens of thousands; more than this of one level is no list one reads. */
const maxShown = 500;

function PermissionLine({ permission }: { permission: PermissionDetail }) {
  const cut = permission.name.lastIndexOf('.') + 1;
  return (
    <tr>
      <td className={styles.permission}>
        <span className={styles.faint}>
          <HostileText value={permission.name.slice(0, cut)} mono isFixed />
        </span>
        <b>
          <HostileText value={permission.name.slice(cut)} mono />
        </b>
      </td>
      <td>
        {permission.description !== null && <HostileText value={permission.description} />}
        {permission.max_sdk_version !== null && (
          <Chip tone="quiet">{texts.permissions.maxSdk(permission.max_sdk_version)}</Chip>
        )}
      </td>
      <td className={styles.chips}>
        {permission.defined_by !== 'android' && (
          <Chip tone={permission.defined_by === 'app' ? 'info' : 'low'}>
            {texts.permissions.definedBy[permission.defined_by]}
          </Chip>
        )}
        {permission.flags.map((flag) => (
          <Chip key={flag} tone="quiet">
            <HostileText value={flag} max={40} isFixed />
          </Chip>
        ))}
      </td>
    </tr>
  );
}

export function PermissionsTab({ report }: { report: AndroguardReport }) {
  const { filter, setFilter, shown } = useFilter(report.permission_details, textOf);
  const byLevel = Map.groupBy(shown, ({ protection_level }) => protection_level);
  const total = report.permission_details.length;
  if (total === 0) return <StatePanel icon="shield" title={texts.permissions.none} />;
  return (
    <>
      <FilterBar
        value={filter}
        onChange={setFilter}
        label={texts.permissions.filter}
        shown={shown.length}
        total={total}
      />
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead className="visually-hidden">
            <tr>
              {texts.permissions.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {levels.map(({ level, tone }) => {
              const permissions = byLevel.get(level) ?? [];
              if (permissions.length === 0) return null;
              return (
                <Fragment key={level}>
                  <tr className={styles.groupLine}>
                    <th colSpan={3} scope="rowgroup">
                      <Chip tone={tone}>{texts.permissions.levels[level]}</Chip>
                      <span className="tabular">{permissions.length}</span>
                      <span className={styles.note}>{texts.permissions.levelNotes[level]}</span>
                    </th>
                  </tr>
                  {permissions.slice(0, maxShown).map((permission) => (
                    <PermissionLine key={permission.name} permission={permission} />
                  ))}
                  {permissions.length > maxShown && (
                    <tr>
                      <td colSpan={3}>{texts.filter.rest(permissions.length - maxShown)}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
