// English texts of this page. Knows nothing of where they are shown.
export const trashTexts = {
  title: 'Trash',
  none: 'The trash is empty',
  noneText:
    'Deleted APKs and rulesets lie here for a while, and come back whole. The owner says for how long: Administration, Storage.',
  columns: { what: 'What', size: 'Size', deleted: 'Deleted', until: 'Gone for good' },
  kinds: { apk: 'APK', ruleset: 'Ruleset' },
  by: (username: string) => (username === '' ? '' : `by ${username}`),
  restore: 'Restore',
  restoreLabel: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} is back.`,
  remove: 'Delete for good',
  removeLabel: (name: string) => `Delete for good: ${name}`,
  empty: 'Empty the trash…',
  emptyNow: 'Empty the trash',
  emptyQuestion: 'Everything that you could bring back from here is deleted for good.',
};
