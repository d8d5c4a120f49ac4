// Android devices and emulators at the adb server of this machine, over HTTP. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema, urlSchema, wholeListSchema } from '../list.ts';

export const deviceSchema = z.object({
  serial: z.string(),
  url: urlSchema,
  /** As adb has it: `device` where it can be used, else `offline`, `unauthorized`, `recovery` … */
  state: z.string(),
  is_usable: z.boolean(),
  model: z.string(),
  product: z.string(),
  is_emulator: z.boolean(),
  /** `14`; null where the device does not tell. */
  android_version: z.string().nullable(),
  sdk_version: z.number().int().nullable(),
  abi: z.string().nullable(),
});
export type Device = z.infer<typeof deviceSchema>;

export const deviceListSchema = wholeListSchema(deviceSchema).extend({
  /** `off`: no adb server is set; `failed`: it does not answer, and the message says why. */
  status: z.enum(['off', 'ok', 'failed']),
  message: z.string().nullable(),
});

export const devicePackagesQuerySchema = z.object({
  system: formBooleanSchema.optional().describe('Also the packages that came with the device'),
});

export const devicePackageListSchema = wholeListSchema(
  z.object({
    package_name: z.string(),
    /** Empty where the device does not tell. */
    version_code: z.string(),
    /** Of its base APK, on the device. */
    path: z.string(),
  }),
);

/** Packages of one import; all of a device's own are named by leaving them out. */
const maxImportedPackages = 1000;

export const deviceImportRequestSchema = z.object({
  packages: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/, 'A package name.')
        .max(223),
    )
    .min(1)
    .max(maxImportedPackages)
    .optional()
    .describe('Packages by name, those of the system too; all that did not come with the device without it'),
});

export const deviceRunRequestSchema = z.object({
  device: z.string().describe('Serial of a connected device'),
  seconds: z.coerce.number().int().min(5).max(600).optional().describe('How long the app is driven; 60 without it'),
});
