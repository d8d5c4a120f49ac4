// Tags of an APK over HTTP. Imports zod only.
import { z } from 'zod';

/** No comma, since feeds list tags separated by commas. */
export const tagNameSchema = z
  .string()
  .trim()
  .min(1, 'This field may not be blank.')
  .max(50)
  .regex(/^[^\p{Cc}\p{Cs},]*$/u, 'A tag has no comma and no control character.')
  // Clients shorten addresses by `.` and `..`: to take such a tag away would be to delete its APK.
  .refine((name) => !/^\.+$/.test(name), 'A tag is more than dots.');

export const newTagSchema = z.object({ name: tagNameSchema });

/** `tags`: all that the APK has by now. */
export const addedTagSchema = z.object({ name: z.string(), tags: z.array(z.string()) });
