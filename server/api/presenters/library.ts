// Libraries that people imported, in the shape that is sent.
import type { Library } from '../../contract/jobs/library.ts';
import type { LibraryRecord } from '../../services/catalogue/libraries.ts';
import { timestamp } from './presenting.ts';

export const presentLibrary = ({ name, version, methods, source, importedAt }: LibraryRecord): Library => ({
  name,
  version,
  methods,
  source,
  imported_at: timestamp(importedAt),
});
