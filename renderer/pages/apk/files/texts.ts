// English texts of this room. Knows nothing of where they are shown.

export const explorerTexts = {
  tree: 'Folders and files',
  layout: 'How files are listed',
  layouts: { tree: 'Tree', table: 'Table' },
  views: { text: 'Text', hex: 'Hex', xml: 'XML', image: 'Image' },
  viewChoice: 'How the file is shown',
  whole: 'The APK itself',
  choose: 'Choose a file',
  chooseText: 'Its bytes, its text, the decoded XML or the picture are shown here.',
  cutText: 'Only the first megabyte is shown as text.',
  facts: (type: string, size: string, packed: string) => `${type} · ${size}, ${packed} packed`,
  duplicate: 'The archive holds this name more than once.',
  imageOf: (name: string) => `Picture ${name}`,
  pixels: (width: number, height: number) => `${width} × ${height} pixels`,
};

export const filesTexts = {
  label: 'Files',
  sort: 'Sort by this column',
  columns: {
    name: 'Name',
    type: 'Type',
    size: 'Size',
    compressed: 'Compressed',
    method: 'Method',
    crc32: 'CRC-32',
    sha256: 'SHA-256',
  },
};
