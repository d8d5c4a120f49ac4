// English texts of this page. Knows nothing of where they are shown.
export const trashTexts = {
  title: 'Trash',
  none: 'The trash is empty',
  noneText:
    'Deleted APKs and rulesets stay here for a while and can be restored completely. The owner sets for how long: Administration → Storage and backup.',
  columns: { what: 'What', size: 'Size', deleted: 'Deleted', until: 'Deleted for good' },
  kinds: { apk: 'APK', ruleset: 'Ruleset' },
  by: (username: string) => (username === '' ? '' : `by ${username}`),
  restore: 'Restore',
  restoreLabel: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} was restored.`,
  remove: 'Delete for good',
  removeLabel: (name: string) => `Delete for good: ${name}`,
  empty: 'Empty the trash…',
  emptyNow: 'Empty the trash',
  emptyQuestion: 'Everything that you could restore from here is deleted for good.',
};
