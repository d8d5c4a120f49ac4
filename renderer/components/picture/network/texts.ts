// English texts of this room. Knows nothing of where they are shown.
export const networkTexts = {
  keys: 'Arrows move, Enter opens and closes.',
  closer: 'Larger',
  further: 'Smaller',
  whole: 'Fit the window',
  open: 'opened',
  waiting: 'Loading…',
} as const;
