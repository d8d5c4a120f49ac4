// A plausible value of a text of which only the name is known. Knows no machine.

/** Addresses that a program loads from or writes to. */
const texts: readonly (readonly [name: RegExp, value: string])[] = [
  [/ur[il]|link|href/i, 'http://cdn.example.com/files/update'],
  [/phone|number|msisdn|recipient|^to$/i, '+491729968533'],
];

export const plausibleText = (name: string): string | undefined => texts.find(([names]) => names.test(name))?.[1];
