// English texts of this page. Knows nothing of where they are shown.
export const dismissalsTexts = {
  title: 'Dismissed',
  choice: 'Which dismissals',
  choices: { held: 'In force', undone: 'Undone' },
  columns: { what: 'What', where: 'Where', reason: 'Reason', by: 'By' },
  none: { held: 'Nothing is dismissed', undone: 'Nothing was undone' },
  noneText: 'A finding or a rule’s match is dismissed on the page of its APK. It is listed here, and can be undone.',
  rule: (rule: string, ruleset: string) => `${rule} (${ruleset})`,
};
