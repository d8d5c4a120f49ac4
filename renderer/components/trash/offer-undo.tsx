// The notification after a deletion, with a button that restores what was deleted. Knows only ids.
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { restoreDeleted } from '../../api/trash-queries.ts';
import { tellError } from '../form/tell-error.ts';
import { undoTexts as words } from './texts.ts';

/** Milliseconds for which the notification is shown. */
const offered = 12_000;

/** @param subjects SHA-256 of APKs, ids of rulesets */
export function offerUndo(message: string, subjects: readonly string[]): void {
  const id = notifications.show({
    message: (
      <Group gap="sm">
        {message}
        <Button size="compact-sm" variant="default" onClick={() => void undo()}>
          {words.undo}
        </Button>
      </Group>
    ),
    autoClose: offered,
  });
  const undo = async () => {
    notifications.hide(id);
    try {
      const restored = await restoreDeleted(subjects);
      notifications.show({ message: restored === 0 ? words.gone : words.restored(restored) });
    } catch (error) {
      tellError(error as Error);
    }
  };
}
