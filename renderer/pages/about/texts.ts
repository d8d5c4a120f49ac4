// English texts of this room. Knows nothing of where they are shown.

export const aboutTexts = {
  title: 'About',
  version: (version: string) => `APK Workstation ${version}`,
  made: 'It is made of these packages too, each under its own licence.',
  packageName: 'Package',
  packageVersion: 'Version',
  licence: 'Licence',
  noLicence: 'not stated',
  filter: 'Filter packages',
  noneMatch: 'No package has these words in its name or licence',
  noneMatchText: 'Empty the filter to see all of them.',
  notices: 'Third-party notices',
  bill: 'Bill of materials',
} as const;
