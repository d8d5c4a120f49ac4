// The workstation's settings with their names, types and defaults. Knows nothing of how they are stored.
import { z } from 'zod';
import type { Repositories } from '../store/store.ts';

const schemas = {
  /** Uploads through a link of `get_upload_url` without a token. */
  anonymous_upload: z.boolean().default(true),
  /** Bytes. */
  upload_max_bytes: z
    .number()
    .int()
    .positive()
    .default(2 * 1024 ** 3),
  analyze_static_on_upload: z.boolean().default(true),
  analyze_yara_on_upload: z.boolean().default(true),
  analyze_dynamic_on_upload: z.boolean().default(true),
} as const;

export type SettingName = keyof typeof schemas;
export type SettingValue<Name extends SettingName> = z.output<(typeof schemas)[Name]>;

/** The value of a setting, its default where it was never set or what is stored does not fit. */
export async function readSetting<Name extends SettingName>(
  { settings }: Pick<Repositories, 'settings'>,
  name: Name,
): Promise<SettingValue<Name>> {
  const schema = schemas[name];
  const parsed = schema.safeParse(await settings.read(name));
  return (parsed.success ? parsed.data : schema.parse(undefined)) as SettingValue<Name>;
}
