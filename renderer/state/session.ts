// Who is logged in. Knows nothing of HTTP.
import { create } from 'zustand';

/*
 * The token is kept in local storage, not in session storage: analysts open APKs in many tabs, by middle click and by
 * links out of reports, and each tab would ask for the password again. What session storage would save from, a script
 * that runs in this page, could use an open session just as well; the content security policy and text-only rendering
 * are the defence there. Sessions expire, and logging out revokes them on the server and in every tab.
 */
const storageKey = 'apk-workstation.session';

interface StoredSession {
  token: string;
  username: string;
}

interface SessionState {
  session: StoredSession | null;
  /** The session expired: the log-in page says so. */
  hasExpired: boolean;
  begin(session: StoredSession): void;
  end(reason: 'asked' | 'expired'): void;
}

function read(): StoredSession | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { token, username } = stored as Record<string, unknown>;
    return typeof token === 'string' && typeof username === 'string' ? { token, username } : null;
  } catch (error) {
    console.info('No stored session.', error);
    return null;
  }
}

function write(session: StoredSession | null): void {
  try {
    if (session === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(session));
  } catch (error) {
    console.info('The session lives in this tab only.', error);
  }
}

export const useSession = create<SessionState>((set) => ({
  session: read(),
  hasExpired: false,
  begin: (session) => {
    write(session);
    set({ session, hasExpired: false });
  },
  end: (reason) => {
    write(null);
    set({ session: null, hasExpired: reason === 'expired' });
  },
}));

// Logging in or out in one tab does so in all of them.
window.addEventListener('storage', (event) => {
  if (event.key === storageKey) useSession.setState({ session: read(), hasExpired: false });
});
