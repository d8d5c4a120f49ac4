// Faulty fields by the names that clients know.
import type { FieldErrors } from '../../contract/error.ts';

const isOwnWord = (name: string) => /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name);

/** Services say `isPublic` of what is `is_public` in a request. */
export const presentFieldErrors = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => [
      isOwnWord(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
      messages,
    ]),
  );
