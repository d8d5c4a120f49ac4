// Code of other runtimes that an app carries: what each is, and its strings. Knows no report.
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { BundleRecord } from '../../../../server/contract/engine/bundles.ts';
import { useBundleStrings, useBundles } from '../../../api/native-queries.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { bytesAddress } from '../../../components/place/place-address.ts';
import { PlaceLink } from '../../../components/place/place-link.tsx';
import { ListRows, VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText, visibleString } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import styles from './native.module.css';
import { bundleTexts } from './texts.ts';

/** Characters of a string in the name of the button that copies it. */
const namedInCopy = 80;
const typingPause = 200;

interface BundleProps {
  sha256: string;
  bundle: BundleRecord;
}

function BundleFacts({ sha256, bundle }: BundleProps) {
  const counts = (['functions', 'modules', 'strings'] as const).filter((name) => bundle[name] !== null);
  const facts = [
    ...(bundle.version === '' ? [] : [{ name: bundleTexts.version, value: bundle.version }]),
    ...counts.map((name) => ({ name: bundleTexts[name], value: formatCount(bundle[name] ?? 0) })),
    ...bundle.details,
  ];
  return (
    <>
      <div className={styles.nativeHead}>
        <b>
          <PlaceLink sha256={sha256} place={bundle.path} />
        </b>
        <Chip tone="info">{bundleTexts.kinds[bundle.kind]}</Chip>
        <span className={shared.faint}>{formatSize(bundle.size)}</span>
      </div>
      <dl className={`${shared.facts} ${styles.bundleFacts}`} data-testid="bundle-facts">
        {facts.map(({ name, value }) => (
          <div key={name} className={shared.factLine}>
            <dt>{name}</dt>
            <dd>
              <HostileText value={value} max={600} />
            </dd>
          </div>
        ))}
        {bundle.faults.length > 0 && (
          <div className={shared.factLine}>
            <dt>
              <Chip tone="high">{bundleTexts.faults}</Chip>
            </dt>
            <dd>
              <ul className={styles.faults}>
                {bundle.faults.map((fault) => (
                  <li key={fault}>
                    <HostileText value={fault} max={400} />
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Strings({ sha256, path }: { sha256: string; path: string }) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, typingPause);
  const strings = useBundleStrings(sha256, path, asked);
  const first = strings.data?.pages[0];
  const rows = strings.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <>
      <div className={shared.toolbar}>
        <TextInput
          size="xs"
          w={280}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={bundleTexts.filter}
          aria-label={bundleTexts.filter}
          spellCheck={false}
        />
        {first !== undefined && (
          <span className="tabular" role="status">
            {bundleTexts.shown(first.count)}
          </span>
        )}
        {first?.is_cut && <span className={shared.faint}>{bundleTexts.stringsCut}</span>}
      </div>
      {first === undefined ? (
        <QueryState query={strings} />
      ) : rows.length === 0 ? (
        <StatePanel icon="search" title={asked === '' ? bundleTexts.noStrings : bundleTexts.noString} />
      ) : (
        <ListRows
          key={asked}
          rows={rows}
          list={strings}
          rowHeight={30}
          isMeasured
          label={bundleTexts.strings}
          keys="list"
        >
          {({ text, offset }) => (
            <div className={styles.bundleString}>
              <CopyButton text={text} what={visibleString(text, namedInCopy)} />
              <span className={shared.wrap}>
                <HostileText value={text} max={400} mono />
              </span>
              {offset !== null && (
                <Link className="tabular" to={bytesAddress(sha256, path, offset, text.length)}>
                  0x{offset.toString(16)}
                </Link>
              )}
            </div>
          )}
        </ListRows>
      )}
    </>
  );
}

export function Component({ apk: { sha256 } }: ApkPartProps) {
  const bundles = useBundles(sha256);
  const [parameters, setParameters] = useSearchParams();
  if (bundles.data === undefined) return <QueryState query={bundles} />;
  const { results, is_cut } = bundles.data;
  const chosen = Math.max(
    0,
    results.findIndex(({ path }) => path === parameters.get('path')),
  );
  const bundle = results[chosen];
  if (bundle === undefined) return <StatePanel icon="file" title={bundleTexts.none} />;
  return (
    <div className={shared.split}>
      <div className={shared.side}>
        {is_cut && <p className={shared.note}>{bundleTexts.isCut}</p>}
        <VirtualRows count={results.length} rowHeight={44} label={bundleTexts.label}>
          {(index) => {
            const { path, kind, size } = results[index]!;
            return (
              <button
                type="button"
                aria-current={index === chosen ? 'true' : undefined}
                onClick={() => setParameters({ path })}
              >
                <span className={styles.twoLines}>
                  <HostileText value={path.slice(path.lastIndexOf('/') + 1)} max={80} isFixed mono />
                  <small>{bundleTexts.kinds[kind]}</small>
                </span>
                <span className="tabular">{formatSize(size)}</span>
              </button>
            );
          }}
        </VirtualRows>
      </div>
      <div key={bundle.path} className={shared.detail}>
        <BundleFacts sha256={sha256} bundle={bundle} />
        <Strings sha256={sha256} path={bundle.path} />
      </div>
    </div>
  );
}
