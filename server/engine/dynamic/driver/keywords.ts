// Words in an app's code that a remote controller might send it. Knows no machine.
import type { Dex } from '../../formats/dex/dex.ts';

/** Texts tried per app; each is a message and a run of the receivers. */
const maxWords = 24;
const maxLooked = 60_000;
/** Short, a command's look: a sign before it or behind it, or a word of control. */
const command =
  /^(?:[#*!/@.%&][a-z][\w .:-]{1,18}|[a-z]{2,10}[#:!]|(?:start|stop|send|get|kill|wipe|lock|unlock|block|call|sms|gps|locate|location|contacts|upload|download|update|activate|deactivate|on|off|ping|intercept|forward|screenshot|record)(?:[_ -]?[a-z]{2,10})?)$/i;

/** Strings of the dex files that look like commands, in their order. */
export function commandWords(dexFiles: readonly Dex[]): string[] {
  const words: string[] = [];
  for (const dex of dexFiles) {
    const count = Math.min(dex.stringCount, maxLooked);
    for (let index = 0; index < count && words.length < maxWords; index++) {
      const text = dex.string(index);
      if (text.length >= 3 && text.length <= 20 && /^[#*!/@.%&]|[#:!]$/.test(text) && command.test(text))
        words.push(text);
    }
  }
  return words;
}
