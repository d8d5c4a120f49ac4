// English texts of this room. Knows nothing of where they are shown.

export const explorerTexts = {
  tree: 'Folders and files',
  layout: 'View files as',
  layouts: { tree: 'Tree', table: 'Table' },
  views: { text: 'Text', hex: 'Hex', xml: 'XML', image: 'Image' },
  viewChoice: 'View the file as',
  whole: 'The APK itself',
  choose: 'Choose a file',
  chooseText: 'Its text, decoded XML, image or bytes are shown here.',
  cutText: 'Only the first 1 MB is shown as text.',
  facts: (type: string, size: string, packed: string) => `${type} · ${size}, ${packed} packed`,
  duplicate: 'The archive has several entries of this name.',
  imageOf: (name: string) => `Image ${name}`,
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
