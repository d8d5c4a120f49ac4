// Reads an app's network security configuration. Knows no manifest and no archive.
//
// https://developer.android.com/privacy-and-security/security-config
import type { Findings } from '../findings.ts';
import { isElement, type XmlDocument, type XmlElement } from '../formats/axml/document.ts';

/** Reports which hosts may be spoken to in cleartext, who is trusted beside the system's authorities, and what is pinned. */
export function reportNetworkConfig(document: XmlDocument, where: string, findings: Findings): void {
  if (document.root === null) return;
  visit(document.root, { isDebug: false, domains: [] }, where, findings);
}

interface Scope {
  isDebug: boolean;
  /** Names the surrounding configuration is for; empty for all. */
  domains: readonly string[];
}

const attributeText = (element: XmlElement, name: string): string | null => {
  const attribute = element.attributes.find((each) => each.name === name);
  if (attribute === undefined) return null;
  if (attribute.text !== null) return attribute.text;
  return attribute.type === 0x12 ? String(attribute.data !== 0) : attribute.rawValue;
};

const children = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(isElement).filter((child) => child.name === name);

const textOf = (element: XmlElement): string =>
  element.children.map((child) => (isElement(child) ? '' : child.text.trim())).join('');

/** Recursion is bounded by the depth that the XML reader takes. */
function visit(element: XmlElement, scope: Scope, where: string, findings: Findings): void {
  const own = children(element, 'domain').map(textOf).filter(Boolean);
  const inner: Scope = {
    isDebug: scope.isDebug || element.name === 'debug-overrides',
    domains: own.length > 0 ? own : scope.domains,
  };
  const hosts = inner.domains.length > 0 ? inner.domains.join(' ') : 'every host';
  const place = `${where}:${element.name}`;
  if (attributeText(element, 'cleartextTrafficPermitted') === 'true') {
    const isEverywhere = element.name === 'base-config';
    findings.add('network-config-cleartext', place, `cleartext to ${hosts}`, isEverywhere ? 'low' : undefined);
  }
  if (element.name === 'certificates' && attributeText(element, 'src') === 'user') {
    const evidence = `authorities that the user installed are trusted for ${hosts}`;
    findings.add('network-config-user-authorities', place, evidence, scope.isDebug ? 'info' : undefined);
  }
  if (element.name === 'pin-set') {
    findings.add('network-config-pinning', place, `${children(element, 'pin').length} pins for ${hosts}`);
  }
  for (const child of element.children) if (isElement(child)) visit(child, inner, where, findings);
}
