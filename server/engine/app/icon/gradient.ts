// Turns a gradient into an SVG definition. Knows no drawable around it.
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import type { DrawableAttributes } from './drawable-attributes.ts';
import { type Box, number, paint, type SvgCanvas } from './svg-canvas.ts';

const maxStops = 64;
const spreads = ['pad', 'reflect', 'reflect', 'reflect'];
const types = { linear: 0, radial: 1 } as const;

/**
 * Defines a gradient of a vector's path (coordinates in its viewport) or of a shape (by angle, over `box`).
 * @returns the definition's id, null where no colour is named
 * @see https://developer.android.com/reference/android/graphics/drawable/GradientDrawable
 */
export function gradientPaint(
  element: XmlElement,
  box: Box | null,
  read: DrawableAttributes,
  canvas: SvgCanvas,
): string | null {
  const stops = readStops(element, read);
  if (stops.length === 0) return null;
  const text = stops
    .map(([offset, argb]) => `<stop offset="${number(offset)}" ${paint('stop-color', argb)}/>`)
    .join('');
  const type = read.number(element, 'type', types.linear);
  const spread = spreads[read.number(element, 'tileMode', 0)] ?? 'pad';
  const common = `gradientUnits="userSpaceOnUse"${spread === 'pad' ? '' : ` spreadMethod="${spread}"`}`;
  if (type === types.linear) {
    const [x1, y1, x2, y2] = linePoints(element, box, read);
    return canvas.define(
      (id) =>
        `<linearGradient id="${id}" ${common} x1="${number(x1)}" y1="${number(y1)}" x2="${number(x2)}" y2="${number(y2)}">${text}</linearGradient>`,
    );
  }
  // SVG has no sweep gradient; a radial one of the same colours stands in for it.
  const [x, y, radius] = circle(element, box, read);
  return canvas.define(
    (id) =>
      `<radialGradient id="${id}" ${common} cx="${number(x)}" cy="${number(y)}" r="${number(radius)}">${text}</radialGradient>`,
  );
}

function readStops(element: XmlElement, read: DrawableAttributes): [number, number][] {
  const stops: [number, number][] = [];
  for (const item of element.children) {
    if (!isElement(item) || item.name !== 'item' || stops.length >= maxStops) continue;
    const color = read.plainColor(item, 'color');
    if (color !== null) stops.push([read.number(item, 'offset', stops.length === 0 ? 0 : 1), color]);
  }
  if (stops.length > 0) return stops.sort((a, b) => a[0] - b[0]);
  const [start, center, end] = ['startColor', 'centerColor', 'endColor'].map((name) => read.plainColor(element, name));
  if (start != null) stops.push([0, start]);
  if (center != null) stops.push([0.5, center]);
  if (end != null) stops.push([1, end]);
  return stops;
}

function linePoints(element: XmlElement, box: Box | null, read: DrawableAttributes): [number, number, number, number] {
  if (box === null) {
    return [
      read.number(element, 'startX', 0),
      read.number(element, 'startY', 0),
      read.number(element, 'endX', 0),
      read.number(element, 'endY', 0),
    ];
  }
  // The angle runs against the clock from left to right, in steps of 45 degrees.
  const angle = ((((Math.round(read.number(element, 'angle', 0) / 45) * 45) % 360) + 360) % 360) * (Math.PI / 180);
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const [reachX, reachY] = [
    (Math.sign(Math.round(Math.cos(angle) * 10)) * box.width) / 2,
    (Math.sign(Math.round(Math.sin(angle) * 10)) * box.height) / 2,
  ];
  return [middleX - reachX, middleY + reachY, middleX + reachX, middleY - reachY];
}

function circle(element: XmlElement, box: Box | null, read: DrawableAttributes): [number, number, number] {
  if (box === null) {
    return [
      read.number(element, 'centerX', 0),
      read.number(element, 'centerY', 0),
      Math.max(0.001, read.number(element, 'gradientRadius', 1)),
    ];
  }
  return [
    box.x + box.width * read.number(element, 'centerX', 0.5),
    box.y + box.height * read.number(element, 'centerY', 0.5),
    Math.max(0.001, read.number(element, 'gradientRadius', box.width / 2, box.width)),
  ];
}
