// A dialog that asks before something is done that cannot be undone. Knows nothing of what is done.
import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts.ts';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What the buttons say: the one that does it, and the one that does not. */
  action: string;
  cancel?: string;
  isPending?: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
    {props.children}
    <Group gap="sm" justify="flex-end" mt="lg">
      <Button variant="default" onClick={props.onClose} data-autofocus>
        {props.cancel ?? texts.cancel}
      </Button>
      <Button color="red.8" loading={props.isPending ?? false} onClick={props.onConfirm}>
        {props.action}
      </Button>
    </Group>
  </Modal>
);
