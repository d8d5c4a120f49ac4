// English texts of this room. Knows nothing of where they are shown.

export const shellTexts = {
  skip: 'Skip to the content',
  navigation: 'Main',
  close: 'Close',
  scheme: 'Colour scheme',
  schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
  account: (name: string) => `Account ${name}`,
  logOut: 'Log out',
  connection: { open: 'Live', connecting: 'Connecting…', offline: 'Offline' },
  version: (version: string) => `Version ${version}`,
  faults: {
    database: 'The database does not answer',
    storage: 'Nothing can be written',
    pages: 'The database is damaged',
    keys: 'The master key is not in its place',
  },
  authorityFollowed: (date: string) =>
    `This workstation has a new certificate authority. Download its certificate and trust it before ${date}, when the former one ends.`,
  downloadAuthority: 'Download ca.crt',
};
