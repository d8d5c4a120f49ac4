// The software bill of materials in CycloneDX's JSON. The same packages make the same bytes: it has no time and no number
// of chance. Runs when the program is built, never inside it.
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from './locked-packages.ts';

/** https://github.com/package-url/purl-spec */
const packageUrl = ({ name, version }: LockedPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function licenceOf({ licence }: LockedPackage) {
  if (licence === null) return [];
  const id = SPDX.fixupSpdxId(licence);
  if (id !== undefined) return [new Models.SpdxLicense(id)];
  return [/ (?:AND|OR|WITH) /.test(licence) ? new Models.LicenseExpression(licence) : new Models.NamedLicense(licence)];
}

/** `sha512-…` of the lock file as CycloneDX wants it: in hexadecimal digits. */
function hashOf({ integrity }: LockedPackage): [Enums.HashAlgorithm, string][] {
  const digest = integrity === null ? null : /^sha512-(\S+)/.exec(integrity);
  return digest ? [[Enums.HashAlgorithm['SHA-512'], Buffer.from(digest[1]!, 'base64').toString('hex')]] : [];
}

function componentOf(locked: LockedPackage): Models.Component {
  const { name, version, isOptional, path } = locked;
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return new Models.Component(Enums.ComponentType.Library, own!, {
    bomRef: path,
    ...(group === undefined ? {} : { group }),
    version,
    purl: packageUrl(locked),
    scope: isOptional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
    hashes: new Models.HashDictionary(hashOf(locked)),
    licenses: new Models.LicenseRepository(licenceOf(locked)),
  });
}

/** @param shipped packages in the program. @returns CycloneDX 1.6 as text */
export function billOfMaterials(program: { name: string; version: string }, shipped: readonly LockedPackage[]): string {
  const components = new Map(shipped.map((locked) => [locked.path, componentOf(locked)]));
  const whole = new Models.Component(Enums.ComponentType.Application, program.name, {
    bomRef: program.name,
    version: program.version,
  });
  for (const { path, needs } of shipped) {
    const component = components.get(path)!;
    for (const need of needs) {
      const needed = components.get(need);
      if (needed !== undefined) component.dependencies.add(needed.bomRef);
    }
    whole.dependencies.add(component.bomRef);
  }
  const bill = new Models.Bom({
    metadata: new Models.Metadata({ component: whole }),
    components: new Models.ComponentRepository(components.values()),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bill, { sortLists: true, space: 1 })}\n`;
}
