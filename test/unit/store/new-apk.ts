// The required fields of an APK record, for tests.

/** Different hashes for each number. */
export function newApk(number: number) {
  const hex = number.toString(16);
  return { sha256: hex.padStart(64, '0'), sha1: hex.padStart(40, '0'), md5: hex.padStart(32, '0'), size: number };
}
