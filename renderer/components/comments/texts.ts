// English texts of this room. Knows nothing of where they are shown.
export const commentsTexts = {
  title: 'Comments',
  none: 'No comment yet.',
  write: 'Write a comment',
  placeholder: 'Comment. @name mentions an analyst.',
  placeholderWithTags: 'Comment. @name mentions an analyst, #word tags the APK.',
  mention: 'Analysts to mention',
  send: 'Comment',
  edit: 'Edit',
  remove: 'Delete',
  confirmRemove: 'Delete this comment?',
  edited: 'edited',
  earlier: 'Show earlier comments',
};
