// Reads and changes the workstation's settings. Knows nothing of how they are stored, nor who may change them.
import type { z } from 'zod';
import { type SettingChangesBody, type SettingName, settingSchemas } from '../contract/workstation/settings.ts';
import type { Reads, Store, Writes } from '../store/store.ts';

export type SettingValue<Name extends SettingName> = z.output<(typeof settingSchemas)[Name]>;

/** The value of a setting, its default where it was never set or what is stored does not fit. */
export async function readSetting<Name extends SettingName>(
  { settings }: Pick<Reads, 'settings'>,
  name: Name,
): Promise<SettingValue<Name>> {
  const schema = settingSchemas[name];
  const stored = await settings.read(name);
  // Nobody is asked for a token until others on the network can come without one.
  if (name === 'anonymous_upload' && stored === undefined) {
    return !(await readSetting({ settings }, 'sharing')) as SettingValue<Name>;
  }
  const parsed = schema.safeParse(stored);
  return (parsed.success ? parsed.data : schema.parse(undefined)) as SettingValue<Name>;
}

/** Closes uploads without a token: they were opened before others could reach the workstation. */
async function withdrawAnonymousUpload({ settings }: Pick<Writes, 'settings'>): Promise<void> {
  if ((await settings.read('anonymous_upload')) === true) await settings.write('anonymous_upload', undefined);
}

type Values = { [Name in SettingName]: SettingValue<Name> };
export type ShownSettings = Omit<Values, 'smtp_password' | 'lab_redis_password'> & {
  hasSmtpPassword: boolean;
  hasLabRedisPassword: boolean;
};

export class Settings {
  readonly #store: Store;
  readonly #onChange: () => Promise<void>;

  /** @param onChange called after every change; the change is answered when it is done */
  constructor(store: Store, onChange: () => Promise<void>) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Every setting but the secret ones, of which is told whether they are set. */
  async all(): Promise<ShownSettings> {
    const names = Object.keys(settingSchemas) as SettingName[];
    const values = await Promise.all(names.map(async (name) => [name, await readSetting(this.#store, name)] as const));
    const { smtp_password: smtp, lab_redis_password: redis, ...shown } = Object.fromEntries(values) as Values;
    return { ...shown, hasSmtpPassword: smtp !== '', hasLabRedisPassword: redis !== '' };
  }

  /** Closes uploads without a token, unless somebody has opened them: others reach the workstation without its sharing. */
  async noteServedToOthers(): Promise<void> {
    await this.#store.transaction(async ({ settings }) => {
      if ((await settings.read('anonymous_upload')) === undefined) await settings.write('anonymous_upload', false);
    });
  }

  /** Changes what is given; null brings a setting back to its default. */
  async change(changes: SettingChangesBody): Promise<void> {
    await this.#store.transaction(async (inside) => {
      const { settings } = inside;
      const isNewlyShared = changes.sharing === true && !(await readSetting(inside, 'sharing'));
      if (isNewlyShared) await withdrawAnonymousUpload(inside);
      for (const [name, value] of Object.entries(changes)) {
        if (value !== undefined) await settings.write(name, value ?? undefined);
      }
    });
    await this.#onChange();
  }
}
