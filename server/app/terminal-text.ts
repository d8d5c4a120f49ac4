// Makes hostile strings fit for a terminal.

/** Control, format and line separator characters shown as a mark, so that they cannot steer the terminal. */
export const terminalText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
