// What a text of which only the name is known may say. Knows no machine.

/** What a program goes on to load, whom it writes to. */
const texts: readonly (readonly [name: RegExp, value: string])[] = [
  [/ur[il]|link|href/i, 'http://cdn.example.com/files/update'],
  [/phone|number|msisdn|recipient|^to$/i, '+491729968533'],
];

export const plausibleText = (name: string): string | undefined => texts.find(([names]) => names.test(name))?.[1];
