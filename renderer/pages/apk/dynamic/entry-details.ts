// What an entry of the dynamic report says beside its subject, a line each. Knows its keys; every value in it is the app's.
import { formatSize, formatVirtualTime } from '../../../components/text/format.ts';
import { dynamicTexts } from './texts.ts';

type Entry = Record<string, unknown>;

export const isRecord = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf) : value === undefined ? [] : [textOf(value)];
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Hexadecimal that encodes text is shown as the text. */
export function readable(data: string): string {
  if (data.length < 4 || data.length % 2 === 1 || !/^[\da-f]+$/.test(data)) return data;
  const bytes = new Uint8Array(data.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(data.slice(at * 2, at * 2 + 2), 16);
  const text = new TextDecoder().decode(bytes);
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text) ? data : text;
}

const known = new Set(
  'implicit count last input target exception command permission at name path hostname desthost destport srchost srcport host port number sink algorithm operation key key_hex mode iv data result request answer text address thrown_by model sources encrypted message ip time pid tid processname dataleak tags sha256 size kind action url uri method'.split(
    ' ',
  ),
);

/** `TAINT_PASSWORD` as people say it: "password". */
export const taintName = (tag: string) =>
  dynamicTexts.taints[tag] ??
  tag
    .replace(/^TAINT_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();

/** Where leaked data was read, a line each. */
const sourceLines = (sources: unknown): string[] =>
  (Array.isArray(sources) ? sources : []).filter(isRecord).map(({ tag, api, place }) => {
    const where = textOf(place);
    return `${taintName(textOf(tag))}: ${textOf(api)}${where === '' ? '' : dynamicTexts.readIn(where)}`;
  });

const named = (name: string, value: unknown): string =>
  value === undefined || value === '' ? '' : `${name}: ${textOf(value)}`;

/** What goes in and comes out is plain text or cipher text, by what is done. */
function cipherDetails(entry: Entry): string[] {
  const { plainText, cipherText, result } = dynamicTexts.cryptography;
  const names: Record<string, [input: string, output: string]> = {
    encryption: [plainText, cipherText],
    decryption: [cipherText, plainText],
  };
  const [input, output] = names[textOf(entry.operation)] ?? ['', result];
  const data = entry.data === undefined ? '' : readable(textOf(entry.data));
  return [
    named(dynamicTexts.cryptography.key, entry.key_hex ?? entry.key),
    // A key that is text reads as one.
    entry.key_hex === undefined || readable(textOf(entry.key_hex)) === entry.key_hex
      ? ''
      : named(dynamicTexts.cryptography.keyText, readable(textOf(entry.key_hex))),
    named(dynamicTexts.cryptography.mode, entry.mode),
    named(dynamicTexts.cryptography.iv, entry.iv),
    input === '' ? data : named(input, data),
    entry.result === undefined ? '' : named(output, readable(textOf(entry.result))),
  ];
}

/** A request and what was answered. */
function exchangeDetails({ request, answer }: Entry): string[] {
  const lines = (message: unknown) =>
    isRecord(message) ? [textOf(message.head).trimEnd(), readable(textOf(message.body))].join('\n').split(/\r?\n/) : [];
  return [...lines(request), dynamicTexts.madeUpAnswer, ...lines(answer)];
}

/** How often and until when, where that was more than once. */
function repetition({ count, last }: Entry): string {
  const times = numberOf(count) ?? 1;
  if (times <= 1) return '';
  const end = numberOf(last);
  return end === null ? `×${times}` : dynamicTexts.repeated(times, formatVirtualTime(end));
}

function otherDetails(operation: string, entry: Entry): string[] {
  const text = entry.data ?? (operation === 'log' ? '' : entry.message);
  return [
    entry.key === undefined ? '' : `key: ${readable(textOf(entry.key))}`,
    readable(textOf(text)),
    entry.input === undefined ? '' : dynamicTexts.wantedInput(textOf(entry.input)),
    ...sourceLines(entry.sources),
    entry.implicit === true ? dynamicTexts.implicit : '',
    entry.thrown_by === 'model' ? dynamicTexts.thrownByModel(textOf(entry.model)) : '',
    textOf(entry.at),
    textOf(entry.ip),
    entry.size === undefined ? '' : formatSize(numberOf(entry.size) ?? 0),
    textOf(entry.kind),
  ];
}

/** @param operation the key of the report that the entry stands under */
export function detailsOf(operation: string, entry: Entry): string[] {
  const rest = Object.entries(entry)
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => `${name}: ${textOf(value)}`);
  const own =
    operation === 'cryptousage'
      ? cipherDetails(entry)
      : operation === 'http'
        ? exchangeDetails(entry)
        : otherDetails(operation, entry);
  const method = operation === 'decoded' || operation === 'comparisons' ? textOf(entry.method) : '';
  return [...own, method, repetition(entry), ...rest].filter((text) => text !== '');
}
