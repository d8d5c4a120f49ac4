// Which characters of a name do not show, or make others show elsewhere. Knows nothing of how they are made visible.

/** Control characters, soft hyphens, blank letters, bidirectional marks and overrides, zero-width spaces, line separators, tags. */
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]|[\u034f\u180b-\u180d\u180f\ufe00-\ufe0e]/u;

/** Letters of scripts that are spelt with joiners, https://www.unicode.org/reports/tr31/#Layout_and_Format_Control_Characters */
const spelt = `[${[
  'Arabic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')}]`;
const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]';

/** Joiners, except between letters of such scripts and between the parts of one emoji. */
const joiners = `(?!(?<=${spelt})[\\u200c\\u200d](?=${spelt})|(?<=${emoji})\\u200d(?=\\p{Extended_Pictographic}))[\\u200c\\u200d]`;

/** Finds each of them, and combining marks stacked so high that they hide the text around them. */
export const deceptive = new RegExp(`${unseen.source}|${joiners}|\\p{M}{5,}`, 'gu');
