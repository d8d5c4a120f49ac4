// Numbers, sizes and times as people read them. Knows nothing of what they measure.
import { texts } from '../../texts.ts';
import { formatCount } from './counted.ts';

const locale = 'en-GB';
const shortDates = new Intl.DateTimeFormat(locale, { day: '2-digit', month: 'short', year: 'numeric' });
const days = new Intl.DateTimeFormat(locale, { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** Bytes in decimal units, `3.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 99.95 ? Number(value.toFixed(1)) : Math.round(value)} ${units[unit]}`;
}

/** Today's times as a clock, this year's and older ones as a date. */
export function formatWhen(iso: string, now = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toDateString() === now.toDateString() ? clock.format(date) : shortDates.format(date);
}

const formatted = (format: Intl.DateTimeFormat, time: string) => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : format.format(date);
};

/** A day of the reader's own clock, `21 Nov 2026`. */
export const formatDate = (iso: string) => formatted(shortDates, iso);

export const formatFull = (iso: string) => formatted(full, iso);

/** A day of UTC, `2026-10-23`, or the day of a time as certificates write it, `May 29 02:52:51 2015 GMT`. */
export const formatDay = (time: string) => formatted(days, time);

/** A month, `2026-10`. */
export const formatMonth = (month: string) => formatted(months, month);

/** Milliseconds as `under 0.1 s`, `0.8 s`, `12 s`, `5 min`, `3 min 20 s`. */
export function formatDuration(milliseconds: number): string {
  const exact = Math.max(0, milliseconds) / 1000;
  if (exact < 0.1) return texts.under('0.1 s');
  if (exact < 9.95) return `${exact.toFixed(1)} s`;
  const seconds = Math.round(exact);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const [whole, rest] =
    minutes < 60
      ? [`${minutes} min`, `${seconds % 60} s`]
      : [`${formatCount(Math.floor(minutes / 60))} h`, `${minutes % 60} min`];
  return rest.startsWith('0 ') ? whole : `${whole} ${rest}`;
}

/** A place in virtual time: `12.40 s`, beyond a minute as a clock, beyond a day with its days: `3 d 00:15:01`. */
export function formatVirtualTime(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(2)} s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const clockText = `${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  const days = Math.floor(whole / 86_400);
  return days === 0 ? clockText : `${days} d ${clockText}`;
}

/** `/C=US/O=Acme/CN=a` as pairs; a slash inside a value stays where no `NAME=` follows it. */
export function splitDistinguishedName(name: string): { key: string; value: string }[] {
  return name
    .split(/\/(?=[A-Za-z][A-Za-z0-9.]*=)/)
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at === -1 ? { key: '', value: part } : { key: part.slice(0, at), value: part.slice(at + 1) };
    });
}

/** A class descriptor `La/b/C;` as `a.b.C`. */
export const className = (descriptor: string) =>
  descriptor.startsWith('L') && descriptor.endsWith(';') ? descriptor.slice(1, -1).replaceAll('/', '.') : descriptor;

export const percent = (fraction: number) => texts.percent(Math.round(Math.min(1, Math.max(0, fraction)) * 100));
