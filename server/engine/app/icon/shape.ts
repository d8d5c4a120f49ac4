// Turns a shape drawable into SVG. Knows no archive.
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import type { DrawableAttributes } from './drawable-attributes.ts';
import { gradientPaint } from './gradient.ts';
import { type Box, number, paint, rectangle, type SvgCanvas } from './svg-canvas.ts';

const kinds = { rectangle: 0, oval: 1, line: 2, ring: 3 } as const;

/**
 * A `<shape>` in a box: solid or gradient, corners, stroke.
 * @see https://developer.android.com/guide/topics/resources/drawable-resource#Shape
 */
export function renderShape(shape: XmlElement, box: Box, read: DrawableAttributes, canvas: SvgCanvas): string {
  const child = (name: string): XmlElement | null =>
    shape.children.filter(isElement).find((each) => each.name === name) ?? null;
  const gradient = child('gradient');
  const gradientId = gradient === null ? null : gradientPaint(gradient, box, read, canvas);
  const solid = child('solid');
  const color = solid === null ? null : read.plainColor(solid, 'color');
  const fill =
    gradientId !== null ? `fill="url(#${gradientId})"` : color === null ? 'fill="none"' : paint('fill', color);
  const stroke = strokeOf(child('stroke'), read);
  if (fill === 'fill="none"' && stroke.width === 0) return '';
  const style = stroke.text === '' ? fill : `${fill} ${stroke.text}`;
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  // Android keeps the stroke inside the box.
  const inner = {
    x: box.x + stroke.width / 2,
    y: box.y + stroke.width / 2,
    width: box.width - stroke.width,
    height: box.height - stroke.width,
  };
  switch (read.number(shape, 'shape', kinds.rectangle)) {
    case kinds.oval:
      return canvas.count(
        `<ellipse cx="${number(middleX)}" cy="${number(middleY)}" rx="${number(Math.max(0, inner.width / 2))}" ry="${number(Math.max(0, inner.height / 2))}" ${style}/>`,
      );
    case kinds.line:
      return canvas.count(`<path d="M${number(box.x)} ${number(middleY)}H${number(box.x + box.width)}" ${style}/>`);
    case kinds.ring: {
      const radius = read.number(shape, 'innerRadius', box.width / read.number(shape, 'innerRadiusRatio', 3));
      const thickness = read.number(shape, 'thickness', box.width / read.number(shape, 'thicknessRatio', 9));
      const ring = fill.replaceAll('fill', 'stroke');
      return canvas.count(
        `<circle cx="${number(middleX)}" cy="${number(middleY)}" r="${number(radius + thickness / 2)}" fill="none" ${ring} stroke-width="${number(thickness)}"/>`,
      );
    }
    default: {
      const corners = child('corners');
      const radius = corners === null ? 0 : cornerRadius(corners, read);
      const rounding = radius > 0 ? ` rx="${number(Math.min(radius, box.width / 2))}"` : '';
      return canvas.count(`<rect ${rectangle(inner)}${rounding} ${style}/>`);
    }
  }
}

/** One radius for all corners, the largest where they differ. */
function cornerRadius(corners: XmlElement, read: DrawableAttributes): number {
  const names = ['radius', 'topLeftRadius', 'topRightRadius', 'bottomLeftRadius', 'bottomRightRadius'];
  return Math.max(...names.map((name) => read.number(corners, name, 0)));
}

function strokeOf(element: XmlElement | null, read: DrawableAttributes): { text: string; width: number } {
  if (element === null) return { text: '', width: 0 };
  const width = read.number(element, 'width', 0);
  const color = read.plainColor(element, 'color');
  if (width <= 0 || color === null) return { text: '', width: 0 };
  const dash = read.number(element, 'dashWidth', 0);
  const gap = read.number(element, 'dashGap', 0);
  const dashes = dash > 0 ? ` stroke-dasharray="${number(dash)} ${number(gap)}"` : '';
  return { text: `${paint('stroke', color)} stroke-width="${number(width)}"${dashes}`, width };
}
