// English texts of this page. Knows nothing of where they are shown.
export const dismissalsTexts = {
  title: 'Dismissed',
  choice: 'Which dismissals',
  choices: { held: 'Active', undone: 'Undone' },
  columns: { what: 'What', where: 'Where', reason: 'Reason', by: 'By' },
  none: { held: 'Nothing is dismissed', undone: 'Nothing was undone' },
  noneText: 'Findings and rule matches that are dismissed on an APK’s page are listed here, and can be restored.',
  rule: (rule: string, ruleset: string) => `${rule} (${ruleset})`,
};
