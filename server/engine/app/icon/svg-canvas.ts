// Puts SVG together from numbers, colours and checked path data alone, within limits. Knows no drawable.

/** More than any icon has; past it the rest of a drawable is left out. */
const maxElements = 4000;
const maxLength = 4 * 1024 * 1024;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Thrown where a drawable would cost more than a picture may. */
export class TooLargeError extends Error {}

/** Rounds to what can be seen, and keeps infinities out of attributes. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '0';
  const bounded = Math.max(-1e6, Math.min(1e6, value));
  return String(Math.round(bounded * 1e4) / 1e4);
}

/** `fill="#rrggbb" fill-opacity="0.5"` for a colour as 0xAARRGGBB. */
export function paint(property: string, argb: number, alpha = 1): string {
  const opacity = ((argb >>> 24) / 255) * Math.max(0, Math.min(1, alpha));
  const color = `${property}="#${(argb & 0xffffff).toString(16).padStart(6, '0')}"`;
  return opacity >= 1 ? color : `${color} ${opacityName(property)}="${number(opacity)}"`;
}

const opacityName = (property: string) =>
  property.endsWith('-color') ? property.replace('color', 'opacity') : `${property}-opacity`;

export const rectangle = ({ x, y, width, height }: Box): string =>
  `x="${number(x)}" y="${number(y)}" width="${number(Math.max(0, width))}" height="${number(Math.max(0, height))}"`;

export class SvgCanvas {
  readonly #definitions: string[] = [];
  #elements = 0;
  #length = 0;
  #ids = 0;

  /** Counts an element that is about to be written. @throws TooLargeError */
  count(text: string): string {
    this.#length += text.length;
    if (++this.#elements > maxElements || this.#length > maxLength) throw new TooLargeError('too many elements');
    return text;
  }

  /** Takes the cost of reading a text of some length into account. @throws TooLargeError */
  charge(length: number): void {
    this.#length += length;
    if (++this.#elements > maxElements || this.#length > maxLength) throw new TooLargeError('too much to read');
  }

  /** Adds a definition and returns the id to refer to it by; `make` gets the id. */
  define(make: (id: string) => string): string {
    const id = `d${++this.#ids}`;
    this.#definitions.push(this.count(make(id)));
    return id;
  }

  /** The whole document. */
  document(content: string, view: Box): string {
    const definitions = this.#definitions.length > 0 ? `<defs>${this.#definitions.join('')}</defs>` : '';
    const { x, y, width, height } = view;
    const scale = 192 / Math.max(width, height);
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width * scale)}" height="${number(height * scale)}" viewBox="${number(x)} ${number(y)} ${number(width)} ${number(height)}">${definitions}${content}</svg>`;
  }
}
