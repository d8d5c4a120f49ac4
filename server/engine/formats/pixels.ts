// What pictures of all formats are read into. Imports nothing.

/** Four bytes each: red, green, blue, opacity. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}
