// Times of X.509, which come in two formats and many mistakes. Knows no certificate.
import type { Asn1Element } from './asn1.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const utcTimeTag = 23;
const generalizedTimeTag = 24;
const pattern = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(?:(\d{2})(?:[.,]\d+)?)?(Z|[+-]\d{4})?$/;

/**
 * A UTCTime or GeneralizedTime. Two-digit years are those of 1950 to 2049.
 * Specification: RFC 5280 section 4.1.2.5, https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5
 * @returns milliseconds since 1970, or null where the text is no time
 */
export function parseTime(element: Asn1Element): number | null {
  const text = Buffer.from(element.content).toString('latin1').trim();
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, yearText = '', month, day, hour, minute, second = '0', zone = 'Z'] = match;
  const isShort =
    element.tagNumber === utcTimeTag || (element.tagNumber !== generalizedTimeTag && yearText.length === 2);
  if (isShort !== (yearText.length === 2)) return null;
  const isDate = isWithin(month, 1, 12) && isWithin(day, 1, 31);
  if (!isDate || !isWithin(hour, 0, 23) || !isWithin(minute, 0, 59) || !isWithin(second, 0, 59)) return null;
  const number = Number(yearText);
  const year = isShort ? number + (number < 50 ? 2000 : 1900) : number;
  const date = new Date(0);
  date.setUTCFullYear(year, Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  if (zone === 'Z') return date.getTime();
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5))) * 60_000;
  return date.getTime() - (zone[0] === '-' ? -offset : offset);
}

const isWithin = (digits: string | undefined, least: number, most: number): boolean =>
  Number(digits) >= least && Number(digits) <= most;

/** A time of a certificate as a report shows it; text that is no time stays as it was written. */
export function timeText(element: Asn1Element): string {
  const time = parseTime(element);
  if (time !== null) return formatTime(time);
  return Buffer.from(element.content.subarray(0, 40))
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '?');
}

/** `May 29 02:52:51 2015 GMT`, with one blank before a day of one digit. */
function formatTime(time: number): string {
  const date = new Date(time);
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()} ${clock} ${date.getUTCFullYear()} GMT`;
}
