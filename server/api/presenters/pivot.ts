// What leads from an APK to others, in the shape that is sent.
import type { Pivots } from '../../contract/catalogue/pivot.ts';
import type { Pivot } from '../../services/families/pivots.ts';

export const presentPivots = ({ count, pivots }: { count: number; pivots: readonly Pivot[] }): Pivots => ({
  count,
  results: pivots.map(({ apks, ...pivot }) => ({ ...pivot, apks_count: apks })),
});
