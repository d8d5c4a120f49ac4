// Code of other runtimes in an APK, and its strings page by page. Knows no format.
import { type BundleList, type BundleRecord, type BundleStrings, maxBundles } from '../../contract/engine/bundles.ts';
import type { Exploration } from '../../contract/engine/exploration.ts';
import { mayBeBundle, recordOf, tellBundle } from '../app/bundles/bundles.ts';
import { contentType, sniffLength } from '../app/content-type.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

/** Letters of a string that are shown. */
const maxShown = 2000;

const known = new WeakMap<OpenedApp, BundleList>();

const namesOf = (app: OpenedApp): string[] => app.archive.entries.map(({ name }) => name);

/** Every bundle of the app, told once. */
export function bundlesOf(app: OpenedApp): BundleList {
  const list = known.get(app) ?? listOf(app);
  known.set(app, list);
  return list;
}

function listOf(app: OpenedApp): BundleList {
  const names = namesOf(app);
  const results: BundleRecord[] = [];
  for (const entry of app.archive.entries) {
    try {
      const start = app.archive.readPrefix(entry, sniffLength);
      const type = contentType(start, entry.size);
      if (!mayBeBundle(type)) continue;
      if (results.length >= maxBundles) return { results, is_cut: true };
      const bytes = app.archive.read(entry);
      const bundle = tellBundle(entry.name, bytes, type, names);
      if (bundle !== null) results.push(recordOf(entry.name, bytes.length, bundle));
    } catch (error) {
      // The report says which entries cannot be read.
      if (!(error instanceof FormatError)) throw error;
    }
  }
  return { results, is_cut: false };
}

/** @throws ExplorationFault `not-found`, also where the entry is no bundle; `unreadable` */
export function bundleStringsOf(
  app: OpenedApp,
  { path, search, offset, limit }: Omit<Extract<Exploration, { ask: 'bundle-strings' }>, 'ask'>,
): BundleStrings {
  const { bytes } = app.content({ path, nth: 0 });
  const type = contentType(bytes.subarray(0, sniffLength), bytes.length);
  const bundle = tellBundle(path, bytes, type, namesOf(app));
  if (bundle === null) throw new ExplorationFault('not-found', 'this entry is no bundle', 'path');
  const sought = search.toLowerCase();
  const results: BundleStrings['results'] = [];
  let count = 0;
  const texts = bundle.readTexts();
  let next = texts.next();
  for (; next.done !== true; next = texts.next()) {
    const { text, offset: place } = next.value;
    if (text === '' || (sought !== '' && !text.toLowerCase().includes(sought))) continue;
    if (count >= offset && results.length < limit) results.push({ offset: place, text: text.slice(0, maxShown) });
    count += 1;
  }
  return { count, is_cut: !next.value, results };
}
