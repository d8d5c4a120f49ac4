// The resources of an app as named entries that can be compared, each value under its configuration. Knows no other app.
import { qualifiersOf } from '../formats/arsc/qualifiers.ts';
import { hex8, isReferenceType, type ResValue, valueText, valueTypes } from '../formats/arsc/res-value.ts';
import type { ResourceTable } from '../formats/arsc/resource-table.ts';
import type { ZipArchive } from '../formats/zip/archive.ts';
import type { Entry } from './differences.ts';

/** Values of all configurations: the largest apps have some hundred thousand. */
const maxValues = 2_000_000;
const maxText = 2000;

/** A file counts by its content, as the archive's directory declares it. */
export function resourceEntries(table: ResourceTable, archive: ZipArchive): { entries: Entry[]; isCut: boolean } {
  const entries: Entry[] = [];
  const text = (value: ResValue) => shown(table, value).slice(0, maxText);
  for (const id of table.ids()) {
    const name = table.nameOf(id) ?? `0x${hex8(id)}`;
    for (const { config, value, bag } of table.entries(id)) {
      if (entries.length >= maxValues) return { entries, isCut: true };
      const qualifiers = qualifiersOf(config);
      const held =
        value === null
          ? (bag?.items ?? [])
              .map((item) => `${itemName(table, item.name)}=${text(item.value)}`)
              .join(', ')
              .slice(0, maxText)
          : text(value);
      const file = value?.type === valueTypes.string ? archive.get(value.text ?? '') : undefined;
      entries.push({
        name: qualifiers === '' ? name : `${name} (${qualifiers})`,
        facts: { value: held, ...(file === undefined ? {} : { size: file.size, crc32: hex8(file.crc32) }) },
      });
    }
  }
  return { entries, isCut: false };
}

const itemName = (table: ResourceTable, id: number): string => table.nameOf(id) ?? hex8(id);

function shown(table: ResourceTable, value: ResValue): string {
  const name = table.nameOf(value.data) ?? hex8(value.data);
  if (isReferenceType(value.type)) return `@${name}`;
  if (value.type === valueTypes.attribute || value.type === valueTypes.dynamicAttribute) return `?${name}`;
  return valueText(value) ?? '';
}
