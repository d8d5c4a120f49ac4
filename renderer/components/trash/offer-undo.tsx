// Tells that something was deleted, and brings it back where that is asked for. Knows nothing of what it was.
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { restoreDeleted } from '../../api/trash-queries.ts';
import { tellError } from '../form/tell-error.ts';
import { undoTexts as words } from './texts.ts';

/** Milliseconds for which it is offered. */
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
