// English texts of this room. Knows nothing of where they are shown.

export const permissionsTexts = {
  none: 'The app requests no permissions',
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
    dangerous: 'the user grants it at run time',
    signatureOrSystem: 'only for apps of the system image',
    signature: 'only for apps with the same signer as the app that defines it',
    internal: 'managed by the system',
    unknown: 'not defined by Android or this app',
    normal: 'granted at installation',
  },
  definedBy: { android: 'Android', app: 'defined by this app', unknown: 'unknown origin' },
  maxSdk: (level: number) => `up to SDK ${level}`,
  implied: 'implied',
  impliedNote: 'not requested, but granted by Android for compatibility',
};
