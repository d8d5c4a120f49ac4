// English texts of this room. Knows nothing of where they are shown.

export const librariesTexts = {
  label: 'Libraries',
  none: 'No known libraries found',
  columns: ['Name', 'Kind', 'Packages', 'Classes', 'Evidence'],
  trackers: 'trackers',
  known: 'libraries',
  shared: 'Shared libraries requested in the manifest:',
};
