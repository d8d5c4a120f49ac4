// English texts of this room. Knows nothing of where they are shown.

export const historyTexts = {
  none: 'No jobs yet',
  columns: ['Analysis', 'State', 'Requested', 'Duration', 'Machine', 'Reason'],
};
