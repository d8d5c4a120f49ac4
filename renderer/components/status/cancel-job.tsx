// A button that cancels a job that waits or runs. Knows nothing of what the job does.
import { ActionIcon } from '@mantine/core';
import { useCancelJob } from '../../api/queries.ts';
import { tellError } from '../form/tell-error.ts';
import { Icon } from '../picture/icon.tsx';
import { jobsTexts } from './texts.ts';

export function CancelJob({ id }: { id: string }) {
  const cancel = useCancelJob();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={jobsTexts.cancel}
      loading={cancel.isPending}
      onClick={() => cancel.mutate(id, { onError: tellError })}
    >
      <Icon name="stop" size={13} />
    </ActionIcon>
  );
}
