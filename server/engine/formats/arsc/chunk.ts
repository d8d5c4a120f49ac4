// Chunk types of Android's binary resources and the reading of a chunk's header. Knows nothing of what stands in a chunk.

/**
 * Chunk types, as `ResChunk_header.type` has them.
 * @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h
 */
export const chunkTypes = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  xmlStartNamespace: 0x0100,
  xmlEndNamespace: 0x0101,
  xmlStartElement: 0x0102,
  xmlEndElement: 0x0103,
  xmlText: 0x0104,
  xmlLastNode: 0x017f,
  xmlResourceMap: 0x0180,
  tablePackage: 0x0200,
  tableType: 0x0201,
  tableTypeSpec: 0x0202,
  tableLibrary: 0x0203,
  tableOverlayable: 0x0204,
  tableOverlayablePolicy: 0x0205,
  tableStagedAlias: 0x0206,
} as const;

/** Bytes of a `ResChunk_header`: type, header size, size. */
export const chunkHeaderSize = 8;

export interface Chunk {
  type: number;
  /** Offset of the header. */
  start: number;
  /** Offset of the first byte past the header. */
  body: number;
  /** Offset of the first byte past the chunk. */
  end: number;
}

/**
 * Reads the chunk header at `start`.
 * @param end offset of the first byte past the enclosing chunk
 * @returns null where no chunk fits there; a chunk that Android would take for its lack of alignment alone is kept
 */
export function readChunk(view: DataView, start: number, end: number, minHeaderSize: number): Chunk | null {
  if (start + chunkHeaderSize > end) return null;
  const headerSize = view.getUint16(start + 2, true);
  const size = view.getUint32(start + 4, true);
  if (headerSize < minHeaderSize || headerSize > size || size > end - start) return null;
  return { type: view.getUint16(start, true), start, body: start + headerSize, end: start + size };
}
