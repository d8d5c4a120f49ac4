// The triage queue: from one APK without a verdict to the next, highest risk first. Knows no screen.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { askQueue } from '../../api/catalogue-queries.ts';
import { useTriageQueue } from '../../state/triage-queue.ts';
import { searchAddress } from '../place/catalogue-address.ts';
import { queueTexts as words } from './texts.ts';

/** As the API's `ordering` names the order of the queue. */
export const worstFirst = '-risk';

export function useQueue() {
  const navigate = useNavigate();
  const { search, begin, end, noteJudged } = useTriageQueue();
  const leave = () => {
    end();
    void navigate(searchAddress(search ?? '', worstFirst));
  };
  const next = useMutation({
    mutationFn: ({ of, after }: { of: string; after?: string }) => askQueue(of, after),
    onSuccess: ({ left, apk }, { of, after }) => {
      if (apk !== null) {
        if (after === undefined) begin(of);
        noteJudged(null);
        void navigate(`/apks/${apk.sha256}`);
        return;
      }
      notifications.show({ message: left === 0 ? words.through : words.passed(left) });
      if (after !== undefined) leave();
    },
  });
  return {
    search,
    start: (of: string) => next.mutate({ of }),
    /** @param after the APK that is open */
    goOn: (after: string) => next.mutate({ of: search ?? '', after }),
    leave,
    isPending: next.isPending,
  };
}
