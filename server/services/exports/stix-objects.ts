// Objects of STIX 2.1 with ids that are the same in every export, so that whoever takes them in twice has them once.
// Knows no APK. https://docs.oasis-open.org/cti/stix/v2.1/os/stix-v2.1-os.html
import { createHash } from 'node:crypto';

export interface StixObject {
  type: string;
  id: string;
  spec_version: '2.1';
  [property: string]: unknown;
}

/** Of ids of cyber-observable objects (section 2.9), which every producer makes alike. */
const observableNamespace = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Of all other ids of ours. */
const ownNamespace = '1d3f37b4-63a9-5fd2-9a2e-5c6f1d4c80b1';

/** A UUID of version 5: of a name in a namespace (RFC 9562, section 5.5). */
export function uuidOf(name: string, namespace = ownNamespace): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** @param telling the properties that its id is made of, in the order of their names (RFC 8785 sorts them so) */
export function observable(
  type: string,
  telling: Record<string, unknown>,
  more: Record<string, unknown> = {},
): StixObject {
  const id = `${type}--${uuidOf(JSON.stringify(telling), observableNamespace)}`;
  return { type, spec_version: '2.1', id, ...telling, ...more };
}

export interface Provenance {
  createdBy: string;
  created: string;
  modified: string;
}

/** A domain object or a relationship. @param key what tells it from all others of its type */
export function domainObject(
  type: string,
  key: string,
  { createdBy, created, modified }: Provenance,
  properties: Record<string, unknown>,
): StixObject {
  const id = `${type}--${uuidOf(`${type} ${key}`)}`;
  return { type, spec_version: '2.1', id, created_by_ref: createdBy, created, modified, ...properties };
}

/** A text in a pattern (section 9.2). */
export const patternText = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
