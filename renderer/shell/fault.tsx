// Shown in place of a page that failed, or whose code could not be fetched. Knows no page.
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { ask, OfflineError } from '../api/client.ts';
import { ErrorPanel } from '../components/page/state-panel.tsx';
import { useInterface } from '../state/interface.ts';

/** Errors that are about code which did not come. */
const unfetched = new WeakSet<object>();
window.addEventListener('vite:preloadError', ({ payload }) => unfetched.add(payload));

/** Reloading while the server is away would show the browser's own error page. */
async function reloadWhereServed(): Promise<void> {
  const isServed = await ask('GET /health/').then(
    () => true,
    (error) => !(error instanceof OfflineError),
  );
  if (isServed) location.reload();
}

/** A fault in a page must not take the window with it. */
export function Fault() {
  const error = useRouteError();
  const isUnfetched = typeof error === 'object' && error !== null && unfetched.has(error);
  const connection = useInterface((state) => state.connection);
  const wasAway = useRef(false);
  useEffect(() => {
    if (connection === 'offline') wasAway.current = true;
    if (connection === 'open' && wasAway.current && isUnfetched) location.reload();
  }, [connection, isUnfetched]);
  const shown = isUnfetched ? new OfflineError() : error;
  return <ErrorPanel error={shown} onRetry={() => void reloadWhereServed()} isPage />;
}
