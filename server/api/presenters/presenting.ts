// What presenters need to know besides the record: where the client reaches the server, how ids and links are written.
import type { PublicIds } from '../../services/public-ids.ts';
import type { SignedLinks } from '../../services/signed-links.ts';

export interface Presenting {
  /** `http://host:port`, without a slash at its end. */
  baseUrl: string;
  ids: PublicIds;
  links: SignedLinks;
}

/** Microseconds since 1970 UTC as `2022-01-14T08:41:01.648728+00:00`. */
export function timestamp(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(microseconds - milliseconds * 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}+00:00`;
}

export const timestampOrNull = (microseconds: number | null): string | null =>
  microseconds === null ? null : timestamp(microseconds);

/** Microseconds as whole Unix seconds. */
export const unixSeconds = (microseconds: number): number => Math.floor(microseconds / 1_000_000);
