// A button that cancels a job that waits or runs. Knows nothing of what the job does.
import { ActionIcon } from '@mantine/core';
import { useCancelJob } from '../../api/queries.ts';
import { Icon } from '../picture/icon.tsx';
import { jobsTexts } from './texts.ts';

export function CancelJob({ id }: { id: string }) {
  const cancel = useCancelJob();
  return (
    <ActionIcon size="sm" aria-label={jobsTexts.cancel} loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
      <Icon name="stop" size={13} />
    </ActionIcon>
  );
}
