// Permissions by protection level. Knows the report only.
import { Fragment, useMemo } from 'react';
import { Link } from 'react-router';
import type { CodePlace, PermissionUses } from '../../../../server/contract/engine/exploration.ts';
import type { AndroguardReport, PermissionDetail } from '../../../../server/contract/engine/reports.ts';
import { usePermissionUses } from '../../../api/apk-queries.ts';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { MethodName } from '../../../components/place/method-name.tsx';
import { codeAddress } from '../../../components/place/place-address.ts';
import { FilterBar } from '../../../components/table/filter-bar.tsx';
import { TableHead } from '../../../components/table/table.tsx';
import { useFilter } from '../../../components/table/use-filter.ts';
import { Chip, type Tone } from '../../../components/text/chip.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { usesTexts } from '../texts.ts';
import styles from './permissions.module.css';
import { permissionsTexts } from './texts.ts';

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

/** Permissions of one level that are shown: a hostile manifest may request tens of thousands. */
const maxShown = 500;

/** Places drawn at once of one permission. */
const maxPlaces = 100;

const placeAddress = (sha256: string, { class: owner, method, kind, target }: CodePlace) =>
  codeAddress(sha256, `${owner}->${method}`, kind === 'string' ? `"${target}` : target);

/** The code that uses what a permission guards: how many places, and where each leads. */
function Uses({ sha256, uses }: { sha256: string; uses: PermissionUses['permissions'][number] | undefined }) {
  if (uses === undefined) return <span className={shared.faint}>{usesTexts.none}</span>;
  return (
    <details data-testid="permission-uses">
      <summary className="unbroken">{usesTexts.count(uses.count)}</summary>
      <ul className={styles.uses}>
        {uses.uses.slice(0, maxPlaces).map((place, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a method may hold the same call twice
          <li key={index}>
            <Link to={placeAddress(sha256, place)}>
              <MethodName owner={place.class} method={place.method.replace(/\(.*/s, '')} />
            </Link>{' '}
            <span className={shared.faint}>
              <HostileText value={place.target.replace(/\(.*/s, '')} max={120} mono isFixed />
            </span>
          </li>
        ))}
      </ul>
      {uses.count > maxPlaces && usesTexts.more(uses.count - maxPlaces)}
    </details>
  );
}

interface PermissionLineProps {
  sha256: string;
  permission: PermissionDetail;
  /** undefined: not known yet. */
  uses: ReadonlyMap<string, PermissionUses['permissions'][number]> | undefined;
}

function PermissionName({ name }: { name: string }) {
  const cut = name.lastIndexOf('.') + 1;
  return (
    <>
      <span className={shared.faint}>
        <HostileText value={name.slice(0, cut)} mono isFixed />
      </span>
      <wbr />
      <b>
        <HostileText value={name.slice(cut)} mono />
      </b>
    </>
  );
}

function PermissionLine({ sha256, permission, uses }: PermissionLineProps) {
  return (
    <tr>
      <td className={styles.permission}>
        <PermissionName name={permission.name} />
      </td>
      <td>
        {permission.description !== null && <HostileText value={permission.description} />}
        {permission.max_sdk_version !== null && (
          <Chip tone="quiet">{permissionsTexts.maxSdk(permission.max_sdk_version)}</Chip>
        )}
      </td>
      <td>{uses !== undefined && <Uses sha256={sha256} uses={uses.get(permission.name)} />}</td>
      <td className={shared.chips}>
        {permission.defined_by !== 'android' && (
          <Chip tone={permission.defined_by === 'app' ? 'info' : 'low'}>
            {permissionsTexts.definedBy[permission.defined_by]}
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

/** There are few, whatever the manifest: Android has a handful of reasons. */
function ImpliedPermissions({ permissions }: { permissions: AndroguardReport['implied_permissions'] }) {
  return (
    <>
      <tr className={shared.groupLine}>
        <th colSpan={4} scope="rowgroup">
          <Chip tone="info">{permissionsTexts.implied}</Chip>
          <span className="tabular">{formatCount(permissions.length)}</span>
          <span className={shared.note}>{permissionsTexts.impliedNote}</span>
        </th>
      </tr>
      {permissions.map(({ name, max_sdk_version, reason }) => (
        <tr key={name} data-testid="implied-permission">
          <td className={styles.permission}>
            <PermissionName name={name} />
          </td>
          <td colSpan={3}>
            {reason}
            {max_sdk_version !== null && <Chip tone="quiet">{permissionsTexts.maxSdk(max_sdk_version)}</Chip>}
          </td>
        </tr>
      ))}
    </>
  );
}

export function Component({ apk: { sha256 }, report }: ReportPartProps) {
  const found = usePermissionUses(sha256);
  const uses = useMemo(
    () => found.data && new Map(found.data.permissions.map((permission) => [permission.name, permission])),
    [found.data],
  );
  const filtered = useFilter(report.permission_details, textOf);
  const byLevel = Map.groupBy(filtered.shown, ({ protection_level }) => protection_level);
  const implied = report.implied_permissions;
  if (filtered.total + implied.length === 0) return <StatePanel icon="shield" title={permissionsTexts.none} />;
  return (
    <>
      <FilterBar list={filtered} label={permissionsTexts.filter} />
      <div className={shared.scroll}>
        <table className={shared.table}>
          <TableHead columns={permissionsTexts.columns} isHidden />
          <tbody>
            {levels.map(({ level, tone }) => {
              const permissions = byLevel.get(level) ?? [];
              if (permissions.length === 0) return null;
              return (
                <Fragment key={level}>
                  <tr className={shared.groupLine}>
                    <th colSpan={4} scope="rowgroup">
                      <Chip tone={tone}>{permissionsTexts.levels[level]}</Chip>
                      <span className="tabular">{formatCount(permissions.length)}</span>
                      <span className={shared.note}>{permissionsTexts.levelNotes[level]}</span>
                    </th>
                  </tr>
                  {permissions.slice(0, maxShown).map((permission) => (
                    <PermissionLine key={permission.name} sha256={sha256} permission={permission} uses={uses} />
                  ))}
                  {permissions.length > maxShown && (
                    <tr>
                      <td colSpan={4}>{texts.filter.rest(permissions.length - maxShown)}</td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
            {implied.length > 0 && filtered.filter === '' && <ImpliedPermissions permissions={implied} />}
          </tbody>
        </table>
      </div>
    </>
  );
}
