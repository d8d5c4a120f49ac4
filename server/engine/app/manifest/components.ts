// The components of a manifest: activities, aliases, services, receivers and providers. Knows no archive and no report.
import type { Findings } from '../../findings.ts';
import { isElement, type XmlElement } from '../../formats/axml/document.ts';
import { type AttributeReader, childElements } from './element-attributes.ts';
import { type MetaData, readMetaData } from './meta-data.ts';

export type ComponentKind = 'activity' | 'activity-alias' | 'service' | 'receiver' | 'provider';

export interface IntentFilter {
  actions: string[];
  categories: string[];
  /** Attributes of each `data` element; Android combines those of one filter. */
  data: Record<string, string>[];
  priority: number | null;
  order: number | null;
  autoVerify: boolean;
}

export interface Component {
  kind: ComponentKind;
  /** Fully qualified class name. */
  name: string;
  label: string | null;
  /** The attribute's own value, null where it is absent. */
  exportedAttribute: boolean | null;
  /** As Android decides where the attribute is absent. */
  exported: boolean;
  /** Whether Android 12 and later refuse the app because `exported` is missing here. */
  isExportedMissing: boolean;
  enabled: boolean;
  permission: string | null;
  readPermission: string | null;
  writePermission: string | null;
  grantUriPermissions: boolean;
  process: string | null;
  authorities: string[];
  /** Fully qualified, of an alias. */
  targetActivity: string | null;
  isolatedProcess: boolean;
  directBootAware: boolean;
  launchMode: number | null;
  /** As `@style/AppTheme`; null where the application's holds. */
  theme: string | null;
  taskAffinity: string | null;
  allowTaskReparenting: boolean;
  /** Of a provider, the parts of its data that `path-permission` elements guard. */
  guardedPaths: string[];
  foregroundServiceType: number | null;
  intentFilters: IntentFilter[];
  metaData: MetaData[];
}

const kinds: ReadonlySet<string> = new Set(['activity', 'activity-alias', 'service', 'receiver', 'provider']);
/** Since Android 4.2 a provider is private unless it says otherwise. */
const privateProvidersSince = 17;
/** Since Android 12 a component with an intent filter has to say whether it is exported. */
const explicitExportSince = 31;

/** What an intent can be matched by. https://developer.android.com/guide/topics/manifest/data-element */
const dataAttributes: readonly string[] = [
  'scheme',
  'host',
  'port',
  'mimeType',
  'mimeGroup',
  ...['path', 'ssp', 'query', 'fragment'].flatMap((part) =>
    ['', 'Prefix', 'Pattern', 'AdvancedPattern', 'Suffix'].map((kind) => part + kind),
  ),
];

/** The largest apps have three thousand; each costs some 300 bytes of the report without its texts. */
const maxComponents = 20_000;

/** A class name in full: `.Main` and `Main` stand in the app's package. */
export function qualifiedName(packageName: string, name: string): string {
  if (name.startsWith('.')) return packageName + name;
  return name === '' || name.includes('.') || packageName === '' ? name : `${packageName}.${name}`;
}

/** Reads every component of the application, in the order of the manifest, and the element of each beside it. */
export function readComponents(
  application: XmlElement,
  packageName: string,
  targetSdkVersion: number,
  read: AttributeReader,
  findings: Findings,
): { components: Component[]; elements: XmlElement[] } {
  const components: Component[] = [];
  const elements: XmlElement[] = [];
  for (const node of application.children) {
    if (!isElement(node) || !kinds.has(node.name)) continue;
    if (components.length === maxComponents) {
      const evidence = `${maxComponents} are listed, up to ${components.at(-1)!.name}`;
      findings.add('report-cut', 'components', evidence, 'high');
      break;
    }
    const kind = node.name as ComponentKind;
    const written = read.text(node, 'name');
    if (written === null || written === '') {
      findings.add('manifest-nameless-component', 'AndroidManifest.xml', `<${kind}> in line ${node.line}`);
      continue;
    }
    const own = (attribute: string) => {
      const text = read.text(node, attribute);
      return text === null || text === '' ? null : qualifiedName(packageName, text);
    };
    const intentFilters = childElements(node, 'intent-filter').map((element) => readIntentFilter(element, read));
    const exportedAttribute = read.boolean(node, 'exported');
    const isOpenByDefault = kind === 'provider' ? targetSdkVersion < privateProvidersSince : intentFilters.length > 0;
    const process = read.text(node, 'process');
    components.push({
      kind,
      name: qualifiedName(packageName, written),
      label: read.text(node, 'label'),
      exportedAttribute,
      exported: exportedAttribute ?? isOpenByDefault,
      isExportedMissing:
        exportedAttribute === null &&
        kind !== 'provider' &&
        intentFilters.length > 0 &&
        targetSdkVersion >= explicitExportSince,
      enabled: read.boolean(node, 'enabled') ?? true,
      permission: read.text(node, 'permission'),
      readPermission: read.text(node, 'readPermission'),
      writePermission: read.text(node, 'writePermission'),
      grantUriPermissions: read.boolean(node, 'grantUriPermissions') ?? false,
      process: process?.startsWith(':') ? packageName + process : process,
      authorities: (read.text(node, 'authorities') ?? '').split(';').filter((authority) => authority !== ''),
      targetActivity: own('targetActivity'),
      isolatedProcess: read.boolean(node, 'isolatedProcess') ?? false,
      directBootAware: read.boolean(node, 'directBootAware') ?? false,
      launchMode: read.integer(node, 'launchMode'),
      theme: read.referenceText(node, 'theme'),
      taskAffinity: read.text(node, 'taskAffinity'),
      allowTaskReparenting: read.boolean(node, 'allowTaskReparenting') ?? false,
      guardedPaths: childElements(node, 'path-permission').flatMap(
        (element) =>
          read.text(element, 'path') ?? read.text(element, 'pathPrefix') ?? read.text(element, 'pathPattern') ?? [],
      ),
      foregroundServiceType: read.integer(node, 'foregroundServiceType'),
      intentFilters,
      metaData: readMetaData(node, 'meta-data', read),
    });
    elements.push(node);
  }
  return { components, elements };
}

function readIntentFilter(element: XmlElement, read: AttributeReader): IntentFilter {
  const filter: IntentFilter = {
    actions: [],
    categories: [],
    data: [],
    priority: read.integer(element, 'priority'),
    order: read.integer(element, 'order'),
    autoVerify: read.boolean(element, 'autoVerify') ?? false,
  };
  const addData = (node: XmlElement) => {
    const data: Record<string, string> = {};
    for (const name of dataAttributes) {
      const text = read.text(node, name);
      if (text !== null) data[name] = text;
    }
    filter.data.push(data);
  };
  for (const node of element.children) {
    if (!isElement(node)) continue;
    const name = read.written(node, 'name');
    if (node.name === 'action' && name !== null) filter.actions.push(name);
    else if (node.name === 'category' && name !== null) filter.categories.push(name);
    else if (node.name === 'data') addData(node);
    else if (node.name === 'uri-relative-filter-group') childElements(node, 'data').forEach(addData);
  }
  return filter;
}

/** Whether the launcher shows it: of a phone or of a television. */
export const isLauncher = ({ intentFilters }: Component): boolean =>
  intentFilters.some(
    ({ actions, categories }) =>
      actions.includes('android.intent.action.MAIN') &&
      (categories.includes('android.intent.category.LAUNCHER') ||
        categories.includes('android.intent.category.LEANBACK_LAUNCHER')),
  );
