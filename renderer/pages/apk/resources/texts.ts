// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const resourcesTexts = {
  label: 'Resources',
  none: 'The app has no resource table',
  types: 'Types of resources',
  all: 'All types',
  filter: 'Name, id or value',
  search: 'Search the resources',
  default: 'default',
  more: (count: number) => `show ${counted(count, 'value', 'values')} more`,
  gallery: 'Pictures',
  galleryNone: 'No raster image in the archive',
};
