// What the build of the interface has written about the program's parts. Knows nothing of how it was found out.
import { readFile } from 'node:fs/promises';
import { Failure } from './failure.ts';

export interface ShippedPackage {
  name: string;
  version: string;
  /** SPDX expression, null where its author states none. */
  licence: string | null;
}

/** The fields of a CycloneDX component that are read here. */
interface Component {
  group?: string;
  name: string;
  version: string;
  licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[];
}

/** The built papers lie in `dist`, where the built server lies too. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../dist/papers/' : '../../papers/', import.meta.url);

async function paper(name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(name, folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Failure('papers-missing');
    throw error;
  }
}

/** The licence texts of all packages in the program, UTF-8. @throws Failure `papers-missing` */
export const thirdPartyNotices = (): Promise<Buffer> => paper('third-party-notices.txt');

/** CycloneDX 1.6, JSON. @throws Failure `papers-missing` */
export const billOfMaterials = (): Promise<Buffer> => paper('bill-of-materials.cdx.json');

/** The packages of the bill of materials by name. @throws Failure `papers-missing` */
export async function shippedPackages(): Promise<ShippedPackage[]> {
  const { components } = JSON.parse((await billOfMaterials()).toString()) as { components: Component[] };
  return components
    .map(({ group, name, version, licenses = [] }) => {
      const [stated] = licenses;
      return {
        name: group === undefined ? name : `${group}/${name}`,
        version,
        licence: stated?.expression ?? stated?.license?.id ?? stated?.license?.name ?? null,
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
