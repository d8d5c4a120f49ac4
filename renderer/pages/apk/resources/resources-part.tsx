// The resource table by type, every resource with its values by configuration, and the pictures. Knows no file's content.

import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import { memo, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Resource } from '../../../../server/contract/engine/exploration.ts';
import { useImage, useResourceOutline, useResources } from '../../../api/apk-queries.ts';
import { useFiles } from '../../../api/queries.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { BlobImage } from '../../../components/picture/blob-image.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { fileAddress } from '../../../components/place/place-address.ts';
import { FilterField } from '../../../components/table/filter-field.tsx';
import { ListRows, VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatCount } from '../../../components/text/counted.ts';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import styles from './resources.module.css';
import { resourcesTexts } from './texts.ts';

/** Typing rests this long before the server is asked, in milliseconds. */
const typingPause = 250;
/** Values of one resource that are drawn at once. */
const shownValues = 6;
const gallery = 'gallery';
const rasterTypes = new Set(['png', 'jpeg', 'gif', 'webp']);
const tileWidth = 132;

function Value({ sha256, value }: { sha256: string; value: Resource['values'][number] }) {
  return (
    <div className={styles.value}>
      <span className={value.config === '' ? shared.faint : styles.config}>
        {value.config === '' ? resourcesTexts.default : value.config}
      </span>
      <span className={styles.text}>
        {value.kind === 'color' && <ColourPatch value={value.value} />}
        {value.kind === 'file' ? (
          <Link to={fileAddress(sha256, value.value)}>
            <HostileText value={value.value} max={300} mono isFixed />
          </Link>
        ) : (
          <HostileText value={value.value} max={300} mono={value.kind !== 'string'} />
        )}
      </span>
    </div>
  );
}

/** Only eight hexadecimal digits make a colour; anything else makes none. */
function ColourPatch({ value }: { value: string }) {
  const argb = /^#([\da-f]{2})([\da-f]{6})$/.exec(value);
  if (argb === null) return null;
  return <span className={styles.colour} style={{ background: `#${argb[2]}${argb[1]}` }} />;
}

function ResourceLine({ sha256, resource }: { sha256: string; resource: Resource }) {
  const [shown, setShown] = useState(shownValues);
  return (
    <div className={styles.resource} data-testid="resource">
      <span className={styles.name}>
        <code className={shared.faint}>{resource.id}</code>
        <span>
          <span className={shared.faint}>
            <HostileText value={resource.type} max={40} isFixed />/
          </span>
          <b>
            <HostileText value={resource.name} max={160} mono />
          </b>
        </span>
        <CopyButton text={`@${resource.type}/${resource.name}`} what={resource.id} />
      </span>
      <div>
        {resource.values.slice(0, shown).map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a table may hold a configuration twice
          <Value key={index} sha256={sha256} value={value} />
        ))}
        {resource.values.length > shown && (
          <button type="button" className={styles.more} onClick={() => setShown(resource.values.length)}>
            {resourcesTexts.more(resource.values_count - shown)}
          </button>
        )}
      </div>
    </div>
  );
}

const Tile = memo(function Tile({ sha256, path, size }: { sha256: string; path: string; size: number }) {
  const image = useImage(sha256, { path });
  return (
    <Link to={fileAddress(sha256, path)} className={styles.tile} data-testid="tile">
      <span className={styles.thumbnail}>
        {image.data === undefined ? <Icon name="file" /> : <BlobImage blob={image.data} alt="" />}
      </span>
      <span className={shared.oneLine}>
        <HostileText value={path.slice(path.lastIndexOf('/') + 1)} max={60} isFixed />
      </span>
      <small>{formatSize(size)}</small>
    </Link>
  );
});

function Gallery({ sha256 }: { sha256: string }) {
  const files = useFiles(sha256);
  const images = useMemo(() => files.data?.files.filter(({ type }) => rasterTypes.has(type)) ?? [], [files.data]);
  const { ref, width } = useElementSize<HTMLDivElement>();
  const columns = Math.max(1, Math.floor((width || 800) / tileWidth));
  if (!files.isSuccess) return <QueryState query={files} />;
  if (images.length === 0) return <StatePanel icon="file" title={resourcesTexts.galleryNone} />;
  return (
    <div ref={ref} className={styles.gallery}>
      <VirtualRows count={Math.ceil(images.length / columns)} rowHeight={126} label={resourcesTexts.gallery}>
        {(row) => (
          <div className={styles.tiles}>
            {images.slice(row * columns, (row + 1) * columns).map(({ name, size }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an archive may hold a name twice
              <Tile key={`${index} ${name}`} sha256={sha256} path={name} size={size} />
            ))}
          </div>
        )}
      </VirtualRows>
    </div>
  );
}

function ResourceList({ sha256, type, search }: { sha256: string; type: string; search: string }) {
  const pages = useResources(sha256, type, search);
  const resources = useMemo(() => pages.data?.pages.flatMap(({ results }) => results) ?? [], [pages.data]);
  if (!pages.isSuccess) return <QueryState query={pages} />;
  return (
    <ListRows
      key={`${type} ${search}`}
      rows={resources}
      list={pages}
      rowHeight={34}
      isMeasured
      label={resourcesTexts.label}
    >
      {(resource) => <ResourceLine sha256={sha256} resource={resource} />}
    </ListRows>
  );
}

export function Component({ apk: { sha256 } }: ApkPartProps) {
  const outline = useResourceOutline(sha256);
  const [parameters, setParameters] = useSearchParams();
  const [search, setSearch] = useState(parameters.get('find') ?? '');
  const [rested] = useDebouncedValue(search, typingPause);
  const type = parameters.get('type') ?? '';
  const choose = (next: string) => setParameters(next === '' ? {} : { type: next });
  if (!outline.isSuccess) return <QueryState query={outline} />;
  const counts = new Map<string, number>();
  for (const { types } of outline.data.packages) {
    for (const { name, count } of types) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const types = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = types.reduce((sum, [, count]) => sum + count, 0);
  const entry = (name: string, label: string, count: number | null) => (
    <button key={name} type="button" aria-current={type === name ? 'true' : undefined} onClick={() => choose(name)}>
      <HostileText value={label} max={60} isFixed />
      <span className="tabular">{count === null ? '' : formatCount(count)}</span>
    </button>
  );
  return (
    <div className={shared.split}>
      <nav className={shared.side} aria-label={resourcesTexts.types}>
        {entry(gallery, resourcesTexts.gallery, null)}
        {entry('', resourcesTexts.all, total)}
        {types.slice(0, 256).map(([name, count]) => entry(name, name, count))}
      </nav>
      <div className={shared.detail}>
        {type === gallery ? (
          <Gallery sha256={sha256} />
        ) : total === 0 ? (
          <StatePanel icon="file" title={resourcesTexts.none} />
        ) : (
          <>
            <div className={shared.toolbar}>
              <FilterField
                value={search}
                onChange={setSearch}
                label={resourcesTexts.search}
                placeholder={resourcesTexts.filter}
              />
            </div>
            <ResourceList sha256={sha256} type={type} search={rested} />
          </>
        )}
      </div>
    </div>
  );
}
