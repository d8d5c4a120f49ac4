// How findings of behaviour word what was seen, and name its place on the page of the dynamic report. Knows no finding.

/** Of a text that the app made up. */
const maxShown = 120;

/** A text of the app on one line, cut. */
export const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
};

/** `, 7 times`; nothing where it was once. */
export const repeated = (count: number): string => (count === 1 ? '' : `, ${count} times`);

/** How often all of these were seen. */
export const timesOf = (seen: readonly { readonly count?: number | undefined }[]): number =>
  seen.reduce((sum, { count = 1 }) => sum + count, 0);

/** A view of the dynamic report, as the place of a finding. */
export const viewOf = (view: 'network' | 'files' | 'sms' | 'code' | 'timeline'): string => `dynamic:${view}`;
