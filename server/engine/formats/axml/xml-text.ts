// Prints a binary XML document as text for people. Knows no manifest.
import type { ResourceTable } from '../arsc/resource-table.ts';
import type { XmlDocument } from './document.ts';

/** stub */
export function printXml(_document: XmlDocument, _table?: ResourceTable | null): string {
  return '';
}
