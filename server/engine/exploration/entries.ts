// Contents of an APK's entries: bytes, binary XML as text, raster images. Knows no code and no resources' values.
import type { ExplorationAnswers } from '../../contract/engine/exploration.ts';
import { contentType, sniffLength } from '../app/content-type.ts';
import { recogniseImage } from '../app/icon/raster-image.ts';
import { parseBinaryXml } from '../formats/axml/document.ts';
import { printXml } from '../formats/axml/xml-text.ts';
import { ExplorationFault } from './fault.ts';
import { type EntryPlace, type OpenedApp, readable } from './opened-app.ts';

/** A picture is shown whole or not at all; app icons and photographs stay far below. */
const maxImageLength = 32 * 1024 * 1024;
/** A picture of more pixels would take hundreds of megabytes in the browser. */
const maxPixels = 64_000_000;

/**
 * Bytes `[offset, offset + length)` of an entry's content, fewer where it ends first, or of the APK itself.
 * @throws ExplorationFault
 */
export function contentOf(
  app: OpenedApp,
  { path, nth, index, offset, length }: EntryPlace & { offset: number; length: number },
): ExplorationAnswers['content'] {
  if (index === undefined && (path === undefined || path === '')) {
    const { size } = app.source;
    const start = Math.min(offset, size);
    return { size, bytes: app.source.read(start, Math.min(length, size - start)) };
  }
  const { bytes: content } = app.content({ path, nth, index });
  // A copy of its own: the message to the server must not carry the memory that a view looks into.
  return { size: content.length, bytes: Uint8Array.from(content.subarray(offset, offset + length)) };
}

/** @throws ExplorationFault `unreadable` where the content is no raster image by its own signature */
export function imageOf(app: OpenedApp, place: EntryPlace): ExplorationAnswers['image'] {
  const { bytes } = app.content(place);
  const image = recogniseImage(bytes);
  if (image === null) throw new ExplorationFault('unreadable', 'it is no PNG, JPEG, WebP or GIF image');
  if (bytes.length > maxImageLength || image.width * image.height > maxPixels) {
    throw new ExplorationFault('unreadable', `the image is too large: ${image.width} × ${image.height} pixels`);
  }
  return { mediaType: image.mediaType, bytes: Uint8Array.from(bytes) };
}

/** @throws ExplorationFault `unreadable` where the content is no binary XML */
export function xmlOf(app: OpenedApp, place: EntryPlace): ExplorationAnswers['xml'] {
  const { name, bytes } = app.content(place);
  // Android accepts as binary XML much that is none: the type of the content decides.
  if (!/\.xml$/i.test(name) && contentType(bytes.subarray(0, sniffLength), bytes.length) !== 'axml') {
    throw new ExplorationFault('unreadable', 'it is no binary XML');
  }
  const document = readable(() => parseBinaryXml(bytes, app.findings, name));
  if (document.root === null) throw new ExplorationFault('unreadable', 'there is no XML element in it');
  return { path: name, text: printXml(document, app.resources) };
}
