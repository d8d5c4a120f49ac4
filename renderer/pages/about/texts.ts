// English texts of this room. Knows nothing of where they are shown.

export const aboutTexts = {
  title: 'About',
  version: (version: string) => `APK Workstation ${version}`,
  made: 'It includes these packages, each under its own licence.',
  packageName: 'Package',
  packageVersion: 'Version',
  licence: 'Licence',
  noLicence: 'not stated',
  filter: 'Filter packages',
  noneMatch: 'No package matches',
  noneMatchText: 'Clear the filter to see all packages.',
  notices: 'Third-party notices',
  bill: 'Bill of materials',
} as const;
