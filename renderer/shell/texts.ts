// English texts of this room. Knows nothing of where they are shown.

export const shellTexts = {
  skip: 'Skip to the content',
  navigation: 'Main',
  close: 'Close',
  scheme: 'Colour scheme',
  schemes: { light: 'Light', dark: 'Dark', auto: 'System' },
  account: (name: string) => `Account ${name}`,
  logOut: 'Log out',
  connection: { open: 'Live', connecting: 'Connecting…', offline: 'Offline' },
  version: (version: string) => `Version ${version}`,
  faults: {
    database: 'The database is not responding',
    storage: 'The disk cannot be written',
    pages: 'The database is damaged',
    keys: 'The master key is missing',
  },
  authorityFollowed: (date: string) =>
    `This workstation has a new certificate authority. Download its certificate and trust it before ${date}, when the old one expires.`,
  downloadAuthority: 'Download ca.crt',
};
