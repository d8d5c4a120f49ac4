// What a form does when it is sent. Knows no form.
import type { SyntheticEvent } from 'react';

/** For a form's `onSubmit`: does this in place of the browser's own request. */
export const submitting = (act: () => void) => (event: SyntheticEvent) => {
  event.preventDefault();
  act();
};
