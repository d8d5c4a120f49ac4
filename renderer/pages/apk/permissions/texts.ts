// English texts of this room. Knows nothing of where they are shown.

export const permissionsTexts = {
  none: 'The app asks for no permission',
  filter: 'Filter permissions',
  columns: ['Permission', 'What it allows', 'Used by', 'Notes'],
  levels: {
    dangerous: 'dangerous',
    signatureOrSystem: 'signature or system',
    signature: 'signature',
    internal: 'internal',
    unknown: 'unknown',
    normal: 'normal',
  },
  levelNotes: {
    dangerous: 'granted by the user at run time',
    signatureOrSystem: 'for apps of the system image',
    signature: 'for apps signed by whoever defines it',
    internal: 'granted by the system itself',
    unknown: 'defined neither by Android nor by this app',
    normal: 'granted at installation',
  },
  definedBy: { android: 'Android', app: 'defined by this app', unknown: 'unknown origin' },
  maxSdk: (level: number) => `up to SDK ${level}`,
  implied: 'added by Android',
  impliedNote: 'not asked for, granted all the same',
};
