// Reads the XML files that elements of the manifest refer to and that say how the app is protected. Knows no code.
import { type AppPackage, attempt } from '../app/app-package.ts';
import { AttributeReader, childElements } from '../app/manifest/element-attributes.ts';
import type { Findings } from '../findings.ts';
import { parseBinaryXml, type XmlDocument, type XmlElement } from '../formats/axml/document.ts';
import { reportNetworkConfig } from './network-config.ts';
import { reportProviderPaths } from './provider-paths.ts';

const providerPaths = 'android.support.FILE_PROVIDER_PATHS';
/** Apps have a handful; each is a file to read. */
const maxProviders = 50;

/** Reports the network security configuration, and the folders that providers of files share. */
export function reportReferenced(app: AppPackage, findings: Findings): void {
  const root = app.document?.root;
  if (app.document === null || !root) return;
  const read = new AttributeReader(app.document, app.resources);
  const [application] = childElements(root, 'application');
  if (application === undefined) return;
  const config = referenced(app, read, application, 'networkSecurityConfig', findings);
  if (config !== null) reportNetworkConfig(config.document, config.name, findings);
  for (const provider of childElements(application, 'provider').slice(0, maxProviders)) {
    const data = childElements(provider, 'meta-data').find((each) => read.text(each, 'name') === providerPaths);
    const paths = data === undefined ? null : referenced(app, read, data, 'resource', findings);
    if (paths !== null) reportProviderPaths(paths.document, paths.name, findings);
  }
}

/** The XML file that an attribute refers to; null where there is none or it does not parse. */
function referenced(
  app: AppPackage,
  read: AttributeReader,
  element: XmlElement,
  attribute: string,
  findings: Findings,
): { document: XmlDocument; name: string } | null {
  const id = read.reference(element, attribute);
  const name = id === null ? null : (app.resources?.resolveString(id) ?? null);
  const entry = name === null ? undefined : app.archive.get(name);
  if (name === null || entry === undefined) return null;
  const document = attempt(findings, name, null, () => parseBinaryXml(app.archive.read(entry), findings, name));
  return document === null ? null : { document, name };
}
