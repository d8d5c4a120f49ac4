// Reads the SVG that icons are made into: its elements and definitions. Knows nothing of how it is drawn, nor other SVG.
import type { Matrix } from './sample-grid.ts';
import { product, unmoved } from './sample-grid.ts';

export interface SvgElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: SvgElement[];
}

const tag = /<(\/?)([A-Za-z]+)((?:\s[\w-]+="[^"]*")*)\s*(\/?)>/g;
const attribute = /([\w-]+)="([^"]*)"/g;

/** The document's root. */
export function readSvg(text: string): SvgElement {
  const root: SvgElement = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  for (const [, end, name, words, isEmpty] of text.matchAll(tag)) {
    if (end === '/') {
      if (open.length > 1) open.pop();
      continue;
    }
    const attributes = new Map([...words!.matchAll(attribute)].map(([, key, value]) => [key!, value!]));
    const element = { name: name!, attributes, children: [] };
    open.at(-1)!.children.push(element);
    if (isEmpty !== '/') open.push(element);
  }
  return root.children[0] ?? root;
}

/** What has an id, by it. */
export function definitionsOf(root: SvgElement): Map<string, SvgElement> {
  const definitions = root.children.filter(({ name }) => name === 'defs').flatMap(({ children }) => children);
  return new Map(definitions.map((element) => [element.attributes.get('id') ?? '', element]));
}

/** A number among an element's attributes. */
export function numberOf({ attributes }: SvgElement, name: string, fallback = 0): number {
  const value = Number(attributes.get(name) ?? fallback);
  return Number.isFinite(value) ? value : fallback;
}

/** The definition that an attribute refers to by `url(#id)`. */
export function referred(
  { attributes }: SvgElement,
  name: string,
  definitions: ReadonlyMap<string, SvgElement>,
): SvgElement | null {
  const id = /^url\(#(\w+)\)$/.exec(attributes.get(name) ?? '')?.[1];
  return id === undefined ? null : (definitions.get(id) ?? null);
}

/** What an element's attribute `transform` does. */
export function transformOf({ attributes }: SvgElement): Matrix {
  let matrix = unmoved;
  for (const [, kind, words] of (attributes.get('transform') ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [a = 0, b, c] = words!.split(' ').map(Number);
    if (kind === 'translate') matrix = product(matrix, [1, 0, 0, 1, a, b ?? 0]);
    else if (kind === 'scale') matrix = product(matrix, [a, 0, 0, b ?? a, 0, 0]);
    else if (kind === 'rotate') matrix = product(matrix, rotation(a, b ?? 0, c ?? 0));
  }
  return matrix;
}

function rotation(degrees: number, x: number, y: number): Matrix {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return product(product([1, 0, 0, 1, x, y], [cos, sin, -sin, cos, 0, 0]), [1, 0, 0, 1, -x, -y]);
}
