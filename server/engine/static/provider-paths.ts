// Reads which folders a provider of files shares. Knows no manifest and no archive.
//
// https://developer.android.com/reference/androidx/core/content/FileProvider
import type { Findings } from '../findings.ts';
import { isElement, type XmlDocument } from '../formats/axml/document.ts';

/** By element: whose whole folder it is when the path is empty. */
const folders: Readonly<Record<string, string>> = {
  'files-path': "the app's files",
  'external-path': 'the shared storage',
};

/** Reports paths that hold more than what an app means to share. */
export function reportProviderPaths({ root }: XmlDocument, where: string, findings: Findings): void {
  for (const element of root?.children ?? []) {
    if (!isElement(element)) continue;
    const path = element.attributes.find(({ name }) => name === 'path');
    const text = path?.text ?? path?.rawValue ?? '';
    const place = `${where}:${element.name}`;
    if (element.name === 'root-path') {
      findings.add(
        'manifest-provider-paths',
        place,
        `every file that the app can open, from /${text.replace(/^\//, '')}`,
      );
    } else if (Object.hasOwn(folders, element.name) && /^\.?\/?$/.test(text)) {
      findings.add('manifest-provider-paths', place, `all of ${folders[element.name]}`, 'info');
    }
  }
}
