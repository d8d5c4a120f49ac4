// English texts of this room. Knows nothing of where they are shown.
import type { DismissalScope } from '../../../server/contract/findings/dismissed.ts';
import { counted, formatCount } from '../text/counted.ts';

export const dismissalTexts = {
  dismiss: 'Dismiss…',
  dismissNow: 'Dismiss',
  title: (what: string) => `Dismiss: ${what}`,
  text: 'It no longer counts towards the risk, and is kept here, folded, with who dismissed it, when and why.',
  scope: 'Where',
  scopes: {
    apk: 'In this APK',
    signer: 'In every APK of this signer',
    library: 'In a library, in every APK',
    everywhere: 'Everywhere',
  } satisfies Record<DismissalScope, string>,
  place: 'Place',
  allPlaces: 'All places in this APK',
  library: 'Library',
  libraryHint: 'A package, a class, or a native library by its file name',
  reason: 'Reason',
  reasonHint: 'Why it is no concern; other analysts see this',
  dismissed: (count: number) => `${formatCount(count)} dismissed`,
  withDismissed: (standing: string, dismissed: number) =>
    dismissed === 0 ? standing : `${standing}, ${formatCount(dismissed)} dismissed`,
  findings: (count: number) => counted(count, 'finding', 'findings'),
  rules: (count: number) => counted(count, 'rule', 'rules'),
  by: (analyst: string) => `by ${analyst}`,
  all: 'All dismissals',
  undo: 'Undo',
  undoLabel: (what: string) => `Undo: ${what}`,
  undoneBy: (analyst: string, when: string) => `undone by ${analyst}, ${when}`,
};

export const dismissalScopeText = ({
  scope,
  where,
  library,
}: {
  scope: DismissalScope;
  where: string | null;
  library: string | null;
}): string => {
  if (scope === 'library') return `in ${library ?? ''}`;
  if (scope === 'apk') return where === null ? 'in one APK' : `in one APK at ${where}`;
  return scope === 'signer' ? 'for its signer' : 'everywhere';
};
