// Finds what a drawable reference stands for: a colour, a raster image or a drawable's XML. Knows no SVG.
import { Findings } from '../../findings.ts';
import { frameworkColor } from '../../formats/arsc/framework-resources.ts';
import { isColorType, isReferenceType, type ResValue, valueTypes } from '../../formats/arsc/res-value.ts';
import { densities, type ResourceConfig } from '../../formats/arsc/resource-config.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import { parseBinaryXml, type XmlElement } from '../../formats/axml/document.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import type { ZipArchive } from '../../formats/zip/archive.ts';
import { type RasterImage, recogniseImage } from './raster-image.ts';

/** A launcher icon is some ten kilobytes; a photograph as an icon has been seen with two megabytes. */
const maxImageBytes = 4 * 1024 * 1024;
/** A browser decodes an image to four bytes per pixel, whatever its file's size. */
const maxImageSide = 4096;
const maxXmlBytes = 2 * 1024 * 1024;
/** Files that are read for one icon in all: drawables can refer to each other many times over. */
const maxTotalBytes = 16 * 1024 * 1024;
const costPerFile = 1024;
const maxReferences = 8;
const maxCandidates = 256;

/** What stands behind a reference for one configuration. */
export type Drawable =
  | { kind: 'color'; argb: number }
  | { kind: 'image'; bytes: Uint8Array; image: RasterImage; density: number }
  | { kind: 'xml'; root: XmlElement };

interface Candidate {
  path: string | null;
  argb: number;
  config: ResourceConfig | null;
}

export class DrawableSource {
  readonly #archive: ZipArchive;
  readonly #table: ResourceTable | null;
  /** Deviations inside a drawable's XML are of no interest to an analyst. */
  readonly #findings = new Findings();
  #bytesLeft = maxTotalBytes;

  constructor(archive: ZipArchive, table: ResourceTable | null) {
    this.#archive = archive;
    this.#table = table;
  }

  /** What a value leads to: for a resource, raster images first, the densest up to xxxhdpi; null where nothing can be shown. */
  find(value: { type: number; data: number; text: string | null }, prefersXml = false): Drawable | null {
    const candidates: Candidate[] = [];
    this.#collect(value, null, 0, candidates);
    candidates.sort((a, b) => rank(b) - rank(a));
    const found: Drawable[] = [];
    for (const candidate of candidates) {
      const drawable = candidate.path === null ? colour(candidate.argb) : this.#read(candidate.path, candidate.config);
      if (drawable === null) continue;
      if (drawable.kind !== 'xml' && !prefersXml) return drawable;
      if (drawable.kind === 'xml' && prefersXml) return drawable;
      found.push(drawable);
      if (found.length > 8) break;
    }
    return found[0] ?? null;
  }

  /** The plain value behind a reference, for colours, numbers and dimensions. */
  resolve(value: { type: number; data: number; text: string | null }): ResValue | null {
    if (!isReferenceType(value.type)) return value;
    const color = frameworkColor(value.data);
    if (color !== null) return { type: valueTypes.colorArgb8, data: color, text: null };
    return this.#table?.resolve(value, { density: densities.xxxhigh }) ?? null;
  }

  #collect(
    value: { type: number; data: number; text: string | null },
    config: ResourceConfig | null,
    depth: number,
    candidates: Candidate[],
  ): void {
    if (candidates.length >= maxCandidates || depth > maxReferences) return;
    if (value.type === valueTypes.string && value.text !== null) candidates.push({ path: value.text, argb: 0, config });
    else if (isColorType(value.type)) candidates.push({ path: null, argb: value.data, config });
    else if (isReferenceType(value.type) && frameworkColor(value.data) !== null) {
      candidates.push({ path: null, argb: frameworkColor(value.data)!, config });
    } else if (isReferenceType(value.type) && this.#table !== null) {
      for (const entry of this.#table.entries(value.data)) {
        if (entry.value !== null) this.#collect(entry.value, entry.config, depth + 1, candidates);
      }
    }
  }

  #read(path: string, config: ResourceConfig | null): Drawable | null {
    const entry = this.#archive.get(path);
    if (entry === undefined || this.#bytesLeft <= 0) return null;
    this.#bytesLeft -= costPerFile;
    try {
      const bytes = this.#archive.read(entry, Math.min(maxImageBytes, Math.max(0, this.#bytesLeft)));
      this.#bytesLeft -= bytes.length;
      const image = recogniseImage(bytes);
      if (image !== null) {
        if (image.width > maxImageSide || image.height > maxImageSide) return null;
        return { kind: 'image', bytes, image, density: densityOf(config) };
      }
      if (bytes.length > maxXmlBytes || bytes[0] !== 3 || bytes[1] !== 0) return null;
      const { root } = parseBinaryXml(bytes, this.#findings, path);
      return root === null ? null : { kind: 'xml', root };
    } catch (error) {
      // The next best picture is taken; the archive reader has reported this one.
      if (error instanceof FormatError) return null;
      throw error;
    }
  }
}

const colour = (argb: number): Drawable => ({ kind: 'color', argb });

/** Dots per inch that an image was drawn for. */
function densityOf(config: ResourceConfig | null): number {
  const density = config?.density ?? 0;
  return density === 0 || density >= densities.any ? densities.medium : density;
}

/** Higher is better: the default locale, by day, the densest up to xxxhdpi, XML for any density before XML for one. */
function rank({ config }: Candidate): number {
  if (config === null) return 0;
  const isSpecial = config.language !== '' || (config.uiMode & 0x30) === 0x20 || config.mcc !== 0;
  const isVector = config.density === densities.any;
  const density = densityOf(config);
  const fit = isVector ? 1000 : density <= densities.xxxhigh ? density : 1;
  return fit + config.sdkVersion / 100 - (isSpecial ? 100_000 : 0);
}
