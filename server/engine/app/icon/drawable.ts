// Renders drawables other than raster images as SVG: adaptive icons, layers, shapes, states. Knows no archive; what a
// reference stands for comes from the drawable source.
import { valueTypes } from '../../formats/arsc/res-value.ts';
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import { DrawableAttributes } from './drawable-attributes.ts';
import type { Drawable, DrawableSource } from './drawable-source.ts';
import { renderShape } from './shape.ts';
import { type Box, number, paint, rectangle, SvgCanvas, TooLargeError } from './svg-canvas.ts';
import { renderVector, tintFilter } from './vector.ts';

/** Side of an adaptive icon's layers in dip, and of the part a launcher shows. */
const adaptiveSide = 108;
const adaptiveShown = 72;
const launcherSide = 48;
const maxDepth = 12;
const maxEmbeddedBytes = 2 * 1024 * 1024;
/** `Gravity.CENTER_VERTICAL | CENTER_HORIZONTAL`, and the bits that stretch. */
const gravityFill = 0x77;

/**
 * A drawable as an SVG document.
 * @returns null where nothing of it can be shown, or it is larger than a picture may be
 */
export function renderDrawable(drawable: Drawable, source: DrawableSource): string | null {
  try {
    return new DrawableRenderer(source).document(drawable);
  } catch (error) {
    if (error instanceof TooLargeError) return null;
    throw error;
  }
}

class DrawableRenderer {
  readonly #read: DrawableAttributes;
  readonly #source: DrawableSource;
  readonly #canvas = new SvgCanvas();
  #embedded = 0;

  constructor(source: DrawableSource) {
    this.#source = source;
    this.#read = new DrawableAttributes(source);
  }

  document(drawable: Drawable): string | null {
    const root = drawable.kind === 'xml' ? drawable.root : null;
    if (root?.name === 'adaptive-icon' || root?.name === 'maskable-icon') return this.#adaptiveIcon(root);
    const side = (name: string) => {
      const length = root?.name === 'vector' ? this.#read.number(root, name, launcherSide) : launcherSide;
      return length > 0 && length <= 4096 ? length : launcherSide;
    };
    const box = { x: 0, y: 0, width: side('width'), height: side('height') };
    const content = this.#render(drawable, box, 0);
    return content === '' ? null : this.#canvas.document(content, box);
  }

  /** @see https://developer.android.com/develop/ui/views/launch/icon_design_adaptive */
  #adaptiveIcon(root: XmlElement): string | null {
    const whole = { x: 0, y: 0, width: adaptiveSide, height: adaptiveSide };
    const margin = (adaptiveSide - adaptiveShown) / 2;
    const shown = { x: margin, y: margin, width: adaptiveShown, height: adaptiveShown };
    let layers = '';
    for (const name of ['background', 'foreground']) {
      const layer = root.children.filter(isElement).find((child) => child.name === name);
      if (layer) layers += this.#item(layer, whole, 0);
    }
    if (layers === '') return null;
    const mask = this.#canvas.define((id) => `<clipPath id="${id}"><rect ${rectangle(shown)} rx="16"/></clipPath>`);
    return this.#canvas.document(`<g clip-path="url(#${mask})">${layers}</g>`, shown);
  }

  #render(drawable: Drawable, box: Box, depth: number): string {
    if (depth > maxDepth) return '';
    if (drawable.kind === 'color')
      return this.#canvas.count(`<rect ${rectangle(box)} ${paint('fill', drawable.argb)}/>`);
    if (drawable.kind === 'image') return this.#image(drawable, box, gravityFill);
    return this.#element(drawable.root, box, depth);
  }

  #image(drawable: Drawable & { kind: 'image' }, box: Box, gravity: number): string {
    this.#embedded += drawable.bytes.length;
    if (this.#embedded > maxEmbeddedBytes) throw new TooLargeError('too many images');
    const { bytes, image, density } = drawable;
    let place = box;
    if ((gravity & gravityFill) !== gravityFill) {
      const [width, height] = [(image.width * 160) / density, (image.height * 160) / density];
      place = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
    }
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    return this.#canvas.count(
      `<image ${rectangle(place)} preserveAspectRatio="none" href="data:${image.mediaType};base64,${data}"/>`,
    );
  }

  /** An element that names its drawable in an attribute, holds it as a child, or is a colour. */
  #item(item: XmlElement, box: Box, depth: number): string {
    if (depth > maxDepth) return '';
    this.#canvas.charge(0);
    const inline = this.#read.inline(item, 'drawable');
    if (inline !== null) return this.#element(inline, box, depth + 1);
    const attribute = this.#read.find(item, 'drawable');
    if (attribute !== null) {
      const drawable = this.#source.find(attribute);
      if (drawable !== null) return this.#render(drawable, box, depth + 1);
    }
    const child = item.children.find((node) => isElement(node) && node.name !== 'attr');
    return child && isElement(child) ? this.#element(child, box, depth + 1) : '';
  }

  #items(parent: XmlElement): XmlElement[] {
    return parent.children.filter(isElement).filter((child) => child.name === 'item');
  }

  #element(element: XmlElement, box: Box, depth: number): string {
    if (depth > maxDepth) return '';
    this.#canvas.charge(0);
    switch (element.name) {
      case 'vector':
        return renderVector(element, box, this.#read, this.#canvas);
      case 'shape':
        return renderShape(element, box, this.#read, this.#canvas);
      case 'adaptive-icon':
      case 'maskable-icon':
        return element.children
          .filter(isElement)
          .filter((child) => child.name === 'background' || child.name === 'foreground')
          .map((child) => this.#item(child, box, depth))
          .join('');
      case 'layer-list':
      case 'ripple':
      case 'transition':
        return this.#items(element)
          .filter((item) => !(element.name === 'ripple' && this.#read.number(item, 'id', 0) === 0x0102002e))
          .map((item) => this.#layer(item, box, depth))
          .join('');
      case 'inset':
        return this.#item(element, this.#inset(element, box, 'inset'), depth);
      case 'bitmap':
      case 'animated-image':
      case 'nine-patch':
        return this.#bitmap(element, box);
      case 'selector':
      case 'animated-selector':
      case 'level-list':
      case 'animation-list':
        return this.#state(element, box, depth);
      case 'color': {
        const argb = this.#read.plainColor(element, 'color');
        return argb === null ? '' : this.#render({ kind: 'color', argb }, box, depth);
      }
      case 'rotate':
        return this.#rotated(element, box, depth);
      case 'scale':
      case 'clip':
      case 'animated-vector':
      case 'animated-rotate':
      case 'drawable':
        return this.#item(element, box, depth);
      default:
        return '';
    }
  }

  /** The item that holds in no state, else the first. */
  #state(element: XmlElement, box: Box, depth: number): string {
    const items = this.#items(element);
    const isStateless = (item: XmlElement) => !item.attributes.some((attribute) => attribute.name.startsWith('state_'));
    const chosen = element.name.endsWith('selector') ? items.find(isStateless) : undefined;
    const item = chosen ?? items[0];
    return item === undefined ? '' : this.#item(item, box, depth);
  }

  #inset(element: XmlElement, box: Box, prefix: '' | 'inset'): Box {
    const all = prefix === '' ? 0 : this.#read.number(element, 'inset', 0, box.width);
    const side = (name: string, whole: number) =>
      this.#read.number(element, prefix === '' ? name.toLowerCase() : `inset${name}`, all, whole);
    const left = side('Left', box.width) || (prefix === '' ? this.#read.number(element, 'start', 0) : 0);
    const right = side('Right', box.width) || (prefix === '' ? this.#read.number(element, 'end', 0) : 0);
    const [top, bottom] = [side('Top', box.height), side('Bottom', box.height)];
    const width = Math.max(0, box.width - left - right);
    const height = Math.max(0, box.height - top - bottom);
    return { x: box.x + left, y: box.y + top, width, height };
  }

  #layer(item: XmlElement, box: Box, depth: number): string {
    const inner = this.#inset(item, box, '');
    const width = this.#read.number(item, 'width', inner.width);
    const height = this.#read.number(item, 'height', inner.height);
    const isSmaller = width > 0 && height > 0 && (width < inner.width || height < inner.height);
    if (!isSmaller) return this.#item(item, inner, depth);
    const [w, h] = [Math.min(width, inner.width), Math.min(height, inner.height)];
    const place = { x: inner.x + (inner.width - w) / 2, y: inner.y + (inner.height - h) / 2, width: w, height: h };
    return this.#item(item, place, depth);
  }

  #bitmap(element: XmlElement, box: Box): string {
    const attribute = this.#read.find(element, 'src');
    const drawable = attribute === null ? null : this.#source.find(attribute);
    if (drawable === null) return '';
    if (drawable.kind !== 'image') return drawable.kind === 'xml' ? '' : this.#render(drawable, box, maxDepth);
    const gravity = this.#read.find(element, 'gravity');
    const image = this.#image(drawable, box, gravity?.type === valueTypes.intHexadecimal ? gravity.data : gravityFill);
    const tint = this.#read.plainColor(element, 'tint');
    return tint === null ? image : this.#canvas.count(`<g${tintFilter(tint, this.#canvas)}>${image}</g>`);
  }

  #rotated(element: XmlElement, box: Box, depth: number): string {
    const content = this.#item(element, box, depth);
    if (content === '') return '';
    const angle = this.#read.number(element, 'fromDegrees', 0);
    const x = box.x + this.#read.number(element, 'pivotX', box.width / 2, box.width);
    const y = box.y + this.#read.number(element, 'pivotY', box.height / 2, box.height);
    return this.#canvas.count(`<g transform="rotate(${number(angle)} ${number(x)} ${number(y)})">${content}</g>`);
  }
}
