// HTML pages that stand by themselves: text of strangers is escaped wherever it goes, and nothing runs or loads. Knows no page.
import { createHash } from 'node:crypto';

/** A piece of HTML that is one already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | readonly Piece[] | null;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** What would turn the text around it about, or cannot be seen: right-to-left marks, controls but for line breaks. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

const escaped = (text: string): string =>
  text.replace(unseen, '\u{fffd}').replace(/[&<>"']/g, (letter) => references[letter]!);

function pieceText(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(pieceText).join('');
  return escaped(String(piece));
}

/** HTML in which every value is escaped that is no `Html` itself. Attributes stand in double quotes. */
export const html = (texts: TemplateStringsArray, ...values: Piece[]): Html =>
  new Html(texts.reduce((all, text, place) => all + pieceText(values[place - 1] ?? null) + text));

/**
 * A whole page of one file that opens anywhere: its policy allows this style and pictures within the page, and
 * nothing else.
 * https://www.w3.org/TR/CSP3/
 */
export const htmlPage = (title: string, style: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
