// How much a text tells of who wrote it. Knows nothing of where it stands.

const minLength = 6;
const minScore = 14;

/** What every app may have, and what each build has otherwise: names of the platform, numbers, versions, dates. */
const untelling = [
  /^L?(?:android|androidx|java|javax|kotlin|kotlinx|dalvik|sun|libcore|org[./](?:json|xml|w3c|apache|xmlpull|intellij|jetbrains))[./]/,
  /^(?:L?com[./](?:android|google)[./])/,
  /schemas\.android\.com|www\.w3\.org|xmlpull\.org/,
  /^[\d\s.,:;+\-/%()]*$/,
  /^v?\d+(?:\.\d+)+/i,
  /\b\d+\.\d+\.\d+/,
  /\b(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?/,
  /\/(?:home|Users|build|tmp|var\/tmp)\//,
];

const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d\s]/, /\s/];

/** Whether a text may tell anything of who wrote it. */
export const isTelling = (text: string): boolean =>
  text.length >= minLength && !untelling.some((one) => one.test(text));

/**
 * 0 where it tells nothing, else the more the longer and the more varied it is.
 * @param text one byte in each unit
 */
export function tellingOf(text: string): number {
  if (!isTelling(text)) return 0;
  const pairs = new Set<string>();
  for (let at = 1; at < text.length; at++) pairs.add(text.slice(at - 1, at + 1));
  const score = pairs.size * (1 + 0.3 * kinds.filter((kind) => kind.test(text)).length);
  return score < minScore ? 0 : Math.min(200, Math.round(score));
}
