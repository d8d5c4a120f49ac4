// Shows an error as a notification. Knows nothing of what was tried.
import { notifications } from '@mantine/notifications';

/** Milliseconds for which it stays: long enough to be read. */
const readingTime = 8000;

export const tellError = ({ message }: { message: string }) =>
  notifications.show({ color: 'red', message, autoClose: readingTime });
