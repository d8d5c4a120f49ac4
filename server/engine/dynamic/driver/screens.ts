// The screens that an app has layouts for besides the phone's own: turned, and a tablet's. Knows no activity.
import type { ResourceConfig } from '../../formats/arsc/resource-config.ts';
import type { ResourceTable } from '../../formats/arsc/resource-table.ts';
import type { Device } from '../world/device.ts';

type Screen = Device['screen'];

const tablet: Screen = { width: 2560, height: 1600, density: 2 };

const isForTablets = ({ screenLayout, smallestScreenWidthDp, screenWidthDp }: ResourceConfig): boolean =>
  (screenLayout & 0xf) >= 3 || Math.max(smallestScreenWidthDp, screenWidthDp) >= 600;

/** The screens that show other layouts than `own`, in the order in which they are tried. */
export function otherScreens(resources: ResourceTable | null, own: Screen): Screen[] {
  if (resources === null) return [];
  const layouts = new Map<number, boolean>();
  let isTurnedElse = false;
  let isTabletElse = false;
  for (const id of resources.ids()) {
    const type = id >>> 16;
    if (!layouts.has(type)) layouts.set(type, /^(?:.*:)?layout\//.test(resources.nameOf(id) ?? ''));
    if (layouts.get(type) !== true) continue;
    for (const { config } of resources.entries(id)) {
      isTurnedElse ||= config.orientation === 2;
      isTabletElse ||= isForTablets(config);
    }
    if (isTurnedElse && isTabletElse) break;
  }
  const turned: Screen = { width: own.height, height: own.width, density: own.density };
  return [...(isTurnedElse ? [turned] : []), ...(isTabletElse ? [tablet] : [])];
}
