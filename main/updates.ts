// Looks for a newer release, where the owner has said where. Downloads and installs nothing.

/** A release that is newer than this program. */
export interface Release {
  version: string;
  /** https page to get it from. */
  url: string;
}

const timeout = 10_000;

/**
 * @param address of a JSON document `{"version": "1.2.3", "url": "https://…"}`
 * @returns null where there is nothing newer
 * @throws Error where the address does not answer, or answers otherwise
 */
export async function newerRelease(
  address: string,
  current: string,
  request: (url: string, options: { signal: AbortSignal }) => Promise<Response>,
): Promise<Release | null> {
  const answer = await request(address, { signal: AbortSignal.timeout(timeout) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const { version, url } = (await answer.json()) as { version?: unknown; url?: unknown };
  if (typeof version !== 'string' || typeof url !== 'string' || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`${address} does not say which release is the newest`);
  }
  if (!url.startsWith('https://')) throw new Error(`${address} names a release that is not on https`);
  return isNewer(version, current) ? { version, url } : null;
}

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    if (one![index] !== other![index]) return one![index]! > (other![index] ?? 0);
  }
  return false;
}
