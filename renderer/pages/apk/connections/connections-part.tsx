// What an APK has in common with others as a picture to go on in: family, signer, certificate, hosts, payloads and icon lead to
// APKs, and those to what they have. Knows records, not reports.
import { useSearchParams } from 'react-router';
import { type PivotField, pivotFields } from '../../../../server/contract/catalogue/pivot.ts';
import { havingPageSize, useTies } from '../../../api/similar-queries.ts';
import { Icon } from '../../../components/picture/icon.tsx';
import { fieldSearch } from '../../../components/place/catalogue-address.ts';
import { apkId, apkThing, type Opening, traitIcons, traitId } from '../network/apk-network.ts';
import styles from '../network/network.module.css';
import { NetworkView } from '../network/network-view.tsx';
import { networkTexts as words } from '../network/texts.ts';
import type { ApkPartProps } from '../parts.tsx';

/** How far a trait is from an APK: the fewer have it, the nearer. */
const lengthOf = (count: number) => Math.min(1, Math.log10(Math.max(1, count)) / 4);

/** What has to be asked to open a thing; null where the address holds none. */
function askedFor(id: string): { sha256: string } | { search: string } | null {
  const [, kind = '', value = ''] = /^([a-z]+):(.+)$/s.exec(id) ?? [];
  if (kind === 'apk') return { sha256: value };
  const search = pivotFields.some((field) => field === kind) ? fieldSearch(kind, value) : null;
  return search === null ? null : { search };
}

export function Component({ apk }: ApkPartProps) {
  const [parameters] = useSearchParams();
  const ids = [...new Set([apkId(apk.sha256), ...parameters.getAll('open')])];
  const opened = ids.flatMap((id) => {
    const asked = askedFor(id);
    return asked === null ? [] : [{ id, asked }];
  });
  const answers = useTies(opened.map(({ asked }) => asked));
  const openings = opened.map(({ id }, index): Opening => {
    const { data, isError } = answers[index]!;
    // One that has gone leads nowhere.
    if (data === undefined) return { id, found: isError ? [] : undefined, leftOut: 0 };
    if ('next' in data)
      return {
        id,
        found: data.results.map((one) => ({ thing: apkThing(one), length: 0.5, note: one.version })),
        leftOut: Math.max(0, data.count - havingPageSize),
      };
    return {
      id,
      found: data.results.map(({ field, value, label, apks_count: count }) => ({
        thing: { id: traitId(field, value), kind: 'trait', field, value, label, count },
        length: lengthOf(count),
        note: '',
      })),
      leftOut: data.count - data.results.length,
    };
  });
  return (
    <NetworkView
      middle={apkThing(apk)}
      openings={openings}
      label={words.connections}
      apkWords={{ open: words.openApk, close: words.closeApk }}
      squares={(Object.keys(traitIcons) as PivotField[])
        .filter((field) => field !== 'ip')
        .map((field) => (
          <span key={field} className={styles.look}>
            <Icon name={traitIcons[field]} size={14} />
            {words.fields[field]}
          </span>
        ))}
    />
  );
}
