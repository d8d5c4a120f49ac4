// Gives memory back as soon as nobody reads it any more. Knows nothing of what was in it.

/** Frees the memory of bytes that nothing else uses at once: the garbage collector leaves megabytes for long. */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer?.(0);
}
