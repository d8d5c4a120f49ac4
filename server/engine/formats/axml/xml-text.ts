// Prints a binary XML document as text for people. Knows no manifest.
import { frameworkAttributeValueName } from '../arsc/framework-resources.ts';
import { isIntegerType, isReferenceType, valueText, valueTypes } from '../arsc/res-value.ts';
import type { ResourceTable } from '../arsc/resource-table.ts';
import { isElement, type XmlAttribute, type XmlDocument, type XmlElement, type XmlNode } from './document.ts';

const androidNamespace = 'http://schemas.android.com/apk/res/android';
const androidPrefix = 'android';
const indentation = '    ';
const maxLineLength = 120;
/** A pooled string may be referred to a million times; text past these lengths is cut. */
const maxValueLength = 16_384;
const maxLength = 8 * 1024 * 1024;

/**
 * The document as XML text, well-formed whatever stands in the file: references by name, values of enum and flag
 * attributes by name where the framework knows them, `android:` attributes by their resource id.
 * @param table names the app's own resources; without it they read as `@0x7f010001`
 */
export function printXml(document: XmlDocument, table: ResourceTable | null = null): string {
  return new XmlPrinter(table).print(document);
}

class XmlPrinter {
  readonly #table: ResourceTable | null;
  readonly #lines: string[] = [];
  #length = 0;
  #isCut = false;
  /** Prefixes in scope by URI, innermost last. */
  readonly #scopes: Map<string, string>[] = [];
  #madeUp = 0;

  constructor(table: ResourceTable | null) {
    this.#table = table;
  }

  print(document: XmlDocument): string {
    this.#line('<?xml version="1.0" encoding="utf-8"?>');
    for (const node of document.children) this.#node(node, 0);
    if (this.#isCut) this.#lines.push('<!-- The rest is left out: the document is too large. -->');
    return `${this.#lines.join('\n')}\n`;
  }

  #line(text: string): void {
    this.#lines.push(text);
    this.#length += text.length;
  }

  #node(node: XmlNode, depth: number): void {
    if (this.#length > maxLength) {
      this.#isCut = true;
      return;
    }
    const indent = indentation.repeat(depth);
    if (isElement(node)) this.#element(node, depth, indent);
    else if (node.text.trim() !== '') this.#line(indent + escapeText(node.text.slice(0, maxValueLength)));
  }

  #element(element: XmlElement, depth: number, indent: string): void {
    const { parts, scope } = this.#declarations(element);
    this.#scopes.push(scope);
    const prefix = element.namespace ? this.#prefixOf(element.namespace, scope, parts) : '';
    const name = (prefix === '' ? '' : `${prefix}:`) + safeName(element.name);
    const written = new Set<string>();
    for (const attribute of element.attributes) {
      const attributeName = this.#attributeName(attribute, scope, parts);
      // A repeated attribute would make the text malformed; Android takes the first.
      if (written.has(attributeName)) continue;
      written.add(attributeName);
      parts.push(`${attributeName}="${escapeAttribute(this.#value(attribute))}"`);
      this.#length += 4;
    }
    const end = element.children.length === 0 ? '/>' : '>';
    const line = `${indent}<${[name, ...parts].join(' ')}${end}`;
    const isShort = line.length <= maxLineLength || parts.length < 2;
    this.#line(isShort ? line : `${indent}<${[name, ...parts].join(`\n${indent}${indentation}`)}${end}`);
    if (element.children.length > 0) {
      for (const child of element.children) this.#node(child, depth + 1);
      this.#line(`${indent}</${name}>`);
    }
    this.#scopes.pop();
  }

  #declarations(element: XmlElement): { parts: string[]; scope: Map<string, string> } {
    const parts: string[] = [];
    const scope = new Map<string, string>();
    const prefixes = new Set<string>();
    for (const { prefix, uri } of element.namespaces) {
      const safe = safeName(prefix).replaceAll(':', '_');
      if (prefixes.has(safe) || safe.toLowerCase().startsWith('xml') || uri === '') continue;
      prefixes.add(safe);
      scope.set(uri, safe);
      parts.push(`xmlns:${safe}="${escapeAttribute(uri)}"`);
    }
    return { parts, scope };
  }

  #prefixOf(uri: string, scope: Map<string, string>, parts: string[]): string {
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const prefix = this.#scopes[index]!.get(uri);
      if (prefix !== undefined) return prefix;
    }
    const prefix = uri === androidNamespace ? androidPrefix : `ns${++this.#madeUp}`;
    scope.set(uri, prefix);
    parts.push(`xmlns:${prefix}="${escapeAttribute(uri)}"`);
    return prefix;
  }

  #attributeName(attribute: XmlAttribute, scope: Map<string, string>, parts: string[]): string {
    const isFramework = attribute.resourceId >>> 24 === 1;
    const uri = isFramework ? androidNamespace : attribute.namespace;
    const name = safeName(attribute.name).replaceAll(':', '_');
    return uri ? `${this.#prefixOf(uri, scope, parts)}:${name}` : name;
  }

  #value(attribute: XmlAttribute): string {
    const { type, data } = attribute;
    if (isReferenceType(type)) return data === 0 ? '@null' : `@${this.#nameOf(data)}`;
    if (type === valueTypes.attribute || type === valueTypes.dynamicAttribute) return `?${this.#nameOf(data)}`;
    if (isIntegerType(type) && type !== valueTypes.intBoolean && attribute.resourceId >>> 24 === 1) {
      const named = frameworkAttributeValueName(attribute.name, data | 0);
      if (named !== null) return named;
    }
    return valueText(attribute) ?? attribute.rawValue ?? '';
  }

  #nameOf(id: number): string {
    return this.#table?.nameOf(id) ?? `0x${(id >>> 0).toString(16).padStart(8, '0')}`;
  }
}

/** A name that XML allows; what it does not allow becomes `_`. */
function safeName(name: string): string {
  const safe = name.slice(0, 256).replace(/[^\p{L}\p{N}_.:-]/gu, '_');
  return /^[\p{L}_]/u.test(safe) ? safe : `_${safe}`;
}

/** Characters that no XML 1.0 document may hold, lone surrogates among them. */
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  const cut = text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
  return escapeText(cut)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}
