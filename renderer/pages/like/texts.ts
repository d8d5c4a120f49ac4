// English texts of this room. Knows nothing of where they are shown.

export const likeTexts = {
  title: 'What is this like?',
  none: 'Ask about a file that is not kept',
  noneText:
    'Choose an APK, or drop one on “What is this like?” anywhere in this window. It is compared with the catalogue by its code, files, icon and signer, and deleted from the workstation afterwards: it gets no record and no report.',
  choose: 'Choose a file…',
  another: 'Another file…',
  keep: 'Add it to the catalogue',
  cancel: 'Cancel',
  retry: 'Retry',
  sending: 'Sending the file',
  reading: 'Looking into the file. A large app takes up to a minute.',
  failed: 'It could not be compared',
  noneFound: 'The catalogue has nothing like it',
  noneFoundText: 'No APK shares code, files or other traits with it.',
} as const;
