// A split APK: a part of an app that is installed together with its base. Imports zod only.
import { z } from 'zod';

const names = z.array(z.string().max(100)).max(100);

/** What a part says of itself and adds to the app. */
export const splitSchema = z.strictObject({
  /** `config.arm64_v8a`, `feature`. */
  name: z.string().max(1000),
  /** A feature may be installed later; what is none only fits the app to a device. */
  is_feature: z.boolean(),
  /** The feature that it is for; null: the base. */
  config_for: z.string().max(1000).nullable(),
  /** As folders of native libraries are called. */
  abis: names,
  languages: names,
  densities: names,
  /** Files of code. */
  dexes: z.int().nonnegative(),
  assets: z.int().nonnegative(),
  files: z.int().nonnegative(),
});
export type Split = z.infer<typeof splitSchema>;

/** More parts than any app has. */
export const maxParts = 200;
