// English texts of this room. Knows nothing of where they are shown.

export const historyTexts = {
  none: 'No job yet',
  columns: ['Analysis', 'State', 'Asked for', 'Took', 'Reason'],
};
