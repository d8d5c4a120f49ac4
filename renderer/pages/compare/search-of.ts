// What a search for another APK means that was typed. Knows hashes, not the search's syntax.

/** Digits that may begin a hash are looked for as such; whatever else is typed is a search as in the catalogue. */
export const searchOf = (typed: string): string => {
  const text = typed.trim();
  return /^(?=.*\d)[0-9a-f]{6,64}$/i.test(text) ? `sha256:${text.toLowerCase()}${text.length < 64 ? '*' : ''}` : text;
};
