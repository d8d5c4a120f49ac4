// Turns a vector drawable into SVG. Knows no archive.
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import type { DrawableAttributes } from './drawable-attributes.ts';
import { gradientPaint } from './gradient.ts';
import { cleanPathData } from './path-data.ts';
import { type Box, number, paint, type SvgCanvas } from './svg-canvas.ts';

const maxDepth = 32;
const lineCaps = ['butt', 'round', 'square'];
const lineJoins = ['miter', 'round', 'bevel'];

/**
 * A `<vector>` stretched into a box.
 * @see https://developer.android.com/reference/android/graphics/drawable/VectorDrawable
 */
export function renderVector(root: XmlElement, box: Box, read: DrawableAttributes, canvas: SvgCanvas): string {
  const width = read.number(root, 'viewportWidth', 0);
  const height = read.number(root, 'viewportHeight', 0);
  if (width <= 0 || height <= 0) return '';
  const content = renderChildren(root, read, canvas, 0);
  if (content === '') return '';
  const alpha = read.number(root, 'alpha', 1);
  const tint = read.plainColor(root, 'tint');
  const transform = `translate(${number(box.x)} ${number(box.y)}) scale(${box.width / width || 0} ${box.height / height || 0})`;
  const view = canvas.define(
    (id) => `<clipPath id="${id}"><path d="M0 0H${number(width)}V${number(height)}H0Z"/></clipPath>`,
  );
  return canvas.count(
    `<g transform="${transform}"${alpha < 1 ? ` opacity="${number(alpha)}"` : ''}${tint === null ? '' : tintFilter(tint, canvas)} clip-path="url(#${view})">${content}</g>`,
  );
}

/** Paints everything visible in one colour, as Android's default tint mode `src_in` does. */
export function tintFilter(argb: number, canvas: SvgCanvas): string {
  const id = canvas.define(
    (name) =>
      `<filter id="${name}" x="0" y="0" width="1" height="1"><feFlood ${paint('flood-color', argb)}/><feComposite in2="SourceAlpha" operator="in"/></filter>`,
  );
  return ` filter="url(#${id})"`;
}

function renderChildren(parent: XmlElement, read: DrawableAttributes, canvas: SvgCanvas, depth: number): string {
  if (depth > maxDepth) return '';
  let content = '';
  let open = 0;
  for (const node of parent.children) {
    if (!isElement(node)) continue;
    if (node.name === 'path') content += renderPath(node, read, canvas);
    else if (node.name === 'group') content += renderGroup(node, read, canvas, depth);
    else if (node.name === 'clip-path') {
      // A clip holds for what follows it in its group.
      const data = pathOf(node, read, canvas);
      const id = canvas.define((name) => `<clipPath id="${name}"><path d="${data}"/></clipPath>`);
      content += `<g clip-path="url(#${id})">`;
      open++;
    }
  }
  return content + '</g>'.repeat(open);
}

function pathOf(element: XmlElement, read: DrawableAttributes, canvas: SvgCanvas): string {
  const text = read.value(element, 'pathData')?.text ?? '';
  canvas.charge(text.length);
  return cleanPathData(text);
}

function renderGroup(group: XmlElement, read: DrawableAttributes, canvas: SvgCanvas, depth: number): string {
  const content = renderChildren(group, read, canvas, depth + 1);
  if (content === '') return '';
  const value = (name: string, fallback = 0) => read.number(group, name, fallback);
  const [pivotX, pivotY, rotation] = [value('pivotX'), value('pivotY'), value('rotation')];
  const [scaleX, scaleY] = [value('scaleX', 1), value('scaleY', 1)];
  const steps: string[] = [];
  const move = (x: number, y: number) => {
    if (x !== 0 || y !== 0) steps.push(`translate(${number(x)} ${number(y)})`);
  };
  move(value('translateX') + pivotX, value('translateY') + pivotY);
  if (rotation !== 0) steps.push(`rotate(${number(rotation)})`);
  if (scaleX !== 1 || scaleY !== 1) steps.push(`scale(${number(scaleX)} ${number(scaleY)})`);
  move(-pivotX, -pivotY);
  return canvas.count(steps.length === 0 ? `<g>${content}</g>` : `<g transform="${steps.join(' ')}">${content}</g>`);
}

function renderPath(path: XmlElement, read: DrawableAttributes, canvas: SvgCanvas): string {
  const data = pathOf(path, read, canvas);
  if (data === '') return '';
  const fill = complexPaint('fill', path, 'fillColor', read.number(path, 'fillAlpha', 1), read, canvas);
  const width = read.number(path, 'strokeWidth', 0);
  const stroke =
    width > 0 ? complexPaint('stroke', path, 'strokeColor', read.number(path, 'strokeAlpha', 1), read, canvas) : null;
  if (fill === null && stroke === null) return '';
  const parts = [`d="${data}"`, fill ?? 'fill="none"'];
  if (read.number(path, 'fillType', 0) === 1) parts.push('fill-rule="evenodd"');
  if (stroke !== null) {
    const cap = lineCaps[read.number(path, 'strokeLineCap', 0)];
    const join = lineJoins[read.number(path, 'strokeLineJoin', 0)];
    parts.push(stroke, `stroke-width="${number(width)}"`);
    if (cap && cap !== 'butt') parts.push(`stroke-linecap="${cap}"`);
    if (join && join !== 'miter') parts.push(`stroke-linejoin="${join}"`);
    parts.push(`stroke-miterlimit="${number(read.number(path, 'strokeMiterLimit', 4))}"`);
    const start = read.number(path, 'trimPathStart', 0);
    const end = read.number(path, 'trimPathEnd', 1);
    if (start > 0 || end < 1) {
      const shown = Math.max(0, end - start);
      parts.push(
        `pathLength="1" stroke-dasharray="${number(shown)} ${number(1)}" stroke-dashoffset="${number(-start)}"`,
      );
    }
  }
  return canvas.count(`<path ${parts.join(' ')}/>`);
}

function complexPaint(
  property: 'fill' | 'stroke',
  element: XmlElement,
  attribute: string,
  alpha: number,
  read: DrawableAttributes,
  canvas: SvgCanvas,
): string | null {
  const color = read.color(element, attribute);
  if (color === null) return null;
  if (typeof color === 'number') return paint(property, color, alpha);
  if (color.name === 'gradient') {
    const id = gradientPaint(color, null, read, canvas);
    if (id !== null) return `${property}="url(#${id})"${alpha < 1 ? ` ${property}-opacity="${number(alpha)}"` : ''}`;
  }
  const plain = read.plainColor(element, attribute);
  return plain === null ? null : paint(property, plain, alpha);
}
