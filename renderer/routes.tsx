// Which address shows which page. Addresses stand behind `#`: the one-time code of a log-in link never leaves the browser
// in a request, and the files work from any place they are served at.
import { createHashRouter, Navigate, Outlet, useLocation } from 'react-router';
import { LoadingPanel } from './components/page/state-panel.tsx';
import { LoginPage } from './pages/login/login-page.tsx';
import { pages } from './pages/pages.ts';
import { Fault } from './shell/fault.tsx';
import { Shell } from './shell/shell.tsx';
import { useSession } from './state/session.ts';

/** Without a session, leads to the log-in page and back afterwards. */
function RequireSession() {
  const session = useSession((state) => state.session);
  const { pathname, search } = useLocation();
  if (session === null) {
    const from = `${pathname}${search}`;
    return <Navigate to="/login" replace state={{ from: from === '/' ? '/catalogue' : from }} />;
  }
  return <Outlet />;
}

export const router = createHashRouter([
  { path: '/login', Component: LoginPage, ErrorBoundary: Fault },
  {
    Component: RequireSession,
    ErrorBoundary: Fault,
    HydrateFallback: LoadingPanel,
    children: [
      { path: '/password', lazy: () => import('./pages/login/password-page.tsx') },
      {
        Component: Shell,
        children: [
          {
            ErrorBoundary: Fault,
            children: [
              { index: true, element: <Navigate to="/catalogue" replace /> },
              ...pages.map(({ address, rest = '', load }) => ({ path: `${address}${rest}`, lazy: load })),
              { path: '/apks/:sha256/:tab?', lazy: () => import('./pages/apk/apk-page.tsx') },
              { path: '/compare/:first/:second?/:part?', lazy: () => import('./pages/compare/compare-page.tsx') },
              { path: '/cases/:id', lazy: () => import('./pages/cases/case-page.tsx') },
              { path: '/families/:id', lazy: () => import('./pages/families/family-page.tsx') },
              { path: '/rule-packages', lazy: () => import('./pages/rulesets/packages-page.tsx') },
              { path: '/rule-statistics', lazy: () => import('./pages/rulesets/statistics-page.tsx') },
              { path: '/rulesets/:id/:tab?', lazy: () => import('./pages/rulesets/ruleset-page.tsx') },
              { path: '/rule-proposals/:id', lazy: () => import('./pages/proposal/proposal-page.tsx') },
              { path: '/analysts/:username/:tab?', lazy: () => import('./pages/analysts/analyst-page.tsx') },
              {
                path: '/administration/:section?',
                lazy: () => import('./pages/administration/administration-page.tsx'),
              },
              { path: '*', lazy: () => import('./pages/not-found-page.tsx') },
            ],
          },
        ],
      },
    ],
  },
]);
