// English texts of this room. Knows nothing of where they are shown.

export const manifestTexts = {
  label: 'Manifest',
  hint: 'The arrows at the left fold elements.',
  copy: 'Copy all',
  unreadable: 'The manifest cannot be decoded',
};
