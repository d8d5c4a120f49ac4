// English texts of this room. Knows nothing of where they are shown.

export const hexTexts = {
  offset: 'Offset, hex',
  goTo: 'Go to a hexadecimal offset',
  go: 'Go',
  search: 'Search the bytes',
  searchAs: 'Search for',
  asText: 'Text',
  asHex: 'Hex',
  searchPlaceholder: { text: 'Text to find', hex: '50 4b 03 04' },
  find: 'Find',
  previous: 'Previous',
  hits: (at: number, all: string) => (at === 0 ? 'not found' : `${at} of ${all}`),
  entropy: (bits: string) => `Entropy ${bits}`,
  entropyText:
    'Bits of information in each byte, from 0 to 8. What is compressed, encrypted or random comes close to 8.',
  entropyOf: (stretches: number) => `Entropy of ${stretches} stretches of the file`,
  stretch: (offset: string, bits: string) => `0x${offset}: ${bits}`,
  size: (count: string, hex: string) => `${count} bytes (0x${hex})`,
  cut: 'Only the beginning of this file is shown. Save it to see the rest.',
};
