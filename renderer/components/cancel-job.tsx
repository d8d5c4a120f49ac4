// A button that cancels a job that waits or runs. Knows nothing of what the job does.
import { ActionIcon } from '@mantine/core';
import { useCancelJob } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { Icon } from './icon.tsx';
import { tellError } from './tell-error.ts';

export function CancelJob({ id }: { id: string }) {
  const cancel = useCancelJob();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={texts.jobs.cancel}
      loading={cancel.isPending}
      onClick={() => cancel.mutate(id, { onError: tellError })}
    >
      <Icon name="stop" size={13} />
    </ActionIcon>
  );
}
