// English texts of this room. Knows nothing of where they are shown.

export const hexTexts = {
  offset: 'Offset, hex',
  goTo: 'Go to a hexadecimal offset',
  go: 'Go',
  size: (count: string, hex: string) => `${count} bytes (0x${hex})`,
  cut: 'Only the beginning of this file is shown. Save it to see the rest.',
};
