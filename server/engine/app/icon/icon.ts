// Finds an app's icon and makes one self-contained picture of it. Knows no report.
import type { Icon } from '../../../contract/engine/analysis-results.ts';
import { valueTypes } from '../../formats/arsc/res-value.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import type { ZipArchive } from '../../formats/zip/archive.ts';
import type { IconReferences, Manifest } from '../manifest/manifest.ts';
import { renderDrawable } from './drawable.ts';
import { DrawableSource } from './drawable-source.ts';

const order: (keyof IconReferences)[] = ['icon', 'activityIcon', 'roundIcon', 'logo', 'banner'];

/**
 * The app's icon as a PNG, JPEG, WebP or GIF as it stands in the archive, or an SVG made from its drawable: without
 * scripts and without references to anything outside itself.
 * @returns null where the manifest names none that can be shown
 */
export function readIcon(archive: ZipArchive, manifest: Manifest, table: ResourceTable | null): Icon | null {
  const source = new DrawableSource(archive, table);
  for (const name of order) {
    const reference = manifest.icons[name];
    if (reference === null) continue;
    const drawable = source.find(
      typeof reference === 'number'
        ? { type: valueTypes.reference, data: reference, text: null }
        : { type: valueTypes.string, data: 0, text: reference },
    );
    if (drawable?.kind === 'image') {
      return { mediaType: drawable.image.mediaType, bytes: Uint8Array.from(drawable.bytes) };
    }
    const svg = drawable === null ? null : renderDrawable(drawable, source);
    if (svg !== null) return { mediaType: 'image/svg+xml', bytes: new TextEncoder().encode(svg) };
  }
  return null;
}
