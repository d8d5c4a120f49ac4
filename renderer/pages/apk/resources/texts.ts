// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const resourcesTexts = {
  label: 'Resources',
  none: 'The app has no resource table',
  types: 'Resource types',
  all: 'All types',
  filter: 'Name, id or value',
  search: 'Search resources',
  default: 'default',
  more: (count: number) => `show ${counted(count, 'more value', 'more values')}`,
  gallery: 'Images',
  galleryNone: 'The app has no raster images',
};
