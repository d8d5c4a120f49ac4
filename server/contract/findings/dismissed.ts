// Which findings and rules' matches a dismissal is about. Imports nothing: server and interface ask it alike.

export const dismissalScopes = ['apk', 'signer', 'library', 'everywhere'] as const;
export type DismissalScope = (typeof dismissalScopes)[number];

/** What tells a dismissal that holds for an APK what in it is meant. */
export interface Dismissing {
  scope: DismissalScope;
  /** Code of a finding; null: it is about a rule. */
  finding: string | null;
  ruleset: string | null;
  rule: string | null;
  /** With the scope `library`: a class, a package, or a native library by its file name. */
  library: string | null;
  /** With the scope `apk`: this place alone; null: all places. */
  where: string | null;
}

/** A finding, or a rule that matched a file of the APK. */
export type Evidence =
  | { finding: string; ruleset?: undefined; where: string }
  | { finding?: undefined; ruleset: string; rule: string; where: string };

const isNativeLibrary = (name: string) => /\.so$/i.test(name);

/** `com/example/ads` for `com.example.ads`, `Lcom/example/ads/`, `com.example.ads.*`, `Lcom/example/ads;`. */
function packagePath(name: string): string {
  const path = name.replace(/[;*./]+$/, '').replaceAll('.', '/');
  return /[/;]/.test(name) ? path.replace(/^L(?=[^/]+\/)/, '') : path;
}

/** The class that a place names, by slashes: of `Lcom/a/B;->m()V`, `classes.dex:Lcom/a/B;`, `AndroidManifest.xml:activity:com.a.B`. */
function classPathOf(place: string): string {
  const descriptor = /^(?:[^:;]*:)?\[*L([^;]+);/.exec(place)?.[1];
  return descriptor ?? place.slice(place.lastIndexOf(':') + 1).replaceAll('.', '/');
}

/** Whether a place lies in a library. @param library class, package, or file name of a native library */
export function isInLibrary(place: string, library: string): boolean {
  if (isNativeLibrary(library)) {
    const entry = place.replace(/:.*$/s, '');
    return entry === library || entry.endsWith(`/${library}`);
  }
  const path = packagePath(library);
  const found = classPathOf(place);
  return path !== '' && (found === path || found.startsWith(`${path}/`) || found.startsWith(`${path}$`));
}

/** Whether a dismissal that holds for an APK is about this of its evidence. */
export function dismisses(dismissal: Dismissing, evidence: Evidence): boolean {
  const isAbout =
    evidence.finding === undefined
      ? dismissal.ruleset === evidence.ruleset && dismissal.rule === evidence.rule
      : dismissal.finding === evidence.finding;
  if (!isAbout) return false;
  if (dismissal.scope === 'library') return isInLibrary(evidence.where, dismissal.library ?? '');
  return dismissal.where === null || dismissal.where === evidence.where;
}
