// The folders that a file lies in as tags. Knows no file system.
import { tagNameSchema } from '../../contract/catalogue/tag.ts';

/** Most folders that become tags: deeper ones, nearest to the file, count. */
const maxTags = 8;

/** @param path of the file from the folder where its tags begin, with `/` */
export function folderTags(path: string): string[] {
  const names = path
    .split('/')
    .slice(0, -1)
    .map((name) =>
      name
        .replace(/[\p{Cc}\p{Cs},]/gu, ' ')
        .trim()
        .slice(0, 50)
        .trim(),
    );
  return [...new Set(names.filter((name) => tagNameSchema.safeParse(name).success))].slice(-maxTags);
}
