// Listens to the server while somebody is logged in. Knows nothing of what the events change.
import { useEffect } from 'react';
import { addressOf, noteUnauthorized, sessionHeaders } from '../api/client.ts';
import { openEventStream } from '../api/event-stream.ts';
import { applyEvent } from '../api/live.ts';
import { useInterface } from '../state/interface.ts';
import { useSession } from '../state/session.ts';

export function useServerEvents(): void {
  const token = useSession(({ session }) => session?.token);
  useEffect(() => {
    if (token === undefined) return;
    return openEventStream({
      path: addressOf('GET /events/'),
      headers: sessionHeaders,
      onEvent: applyEvent,
      onState: (state) => useInterface.getState().setConnection(state),
      onUnauthorized: noteUnauthorized,
    });
  }, [token]);
}
