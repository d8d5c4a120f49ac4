// Whether the code of an APK takes names and notes, and which member of a class is which. Knows no text.
import type { CodePlaces, NameChange, NameVerdict, NameVerdicts } from '../../contract/engine/code-names.ts';
import { checkNames } from '../decompiler/names/name-checks.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { type ClassFingerprint, classFingerprint } from '../similarity/class-fingerprint.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

const ownerOf = (symbol: string): string => symbol.slice(0, symbol.indexOf(';') + 1);

export function nameVerdicts(app: OpenedApp, { changes }: { changes: readonly NameChange[] }): NameVerdicts {
  const results = new Array<NameVerdict>(changes.length);
  const fingerprints = new Map<string, ClassFingerprint>();
  for (const [dexes, some] of Map.groupBy(changes.entries(), ([, { symbol }]) => loaderFor(app, symbol))) {
    const checked = checkNames(
      dexes,
      app.names.names,
      some.map(([, change]) => change),
    );
    for (const [position, [index, { symbol }]] of some.entries())
      results[index] = { ...checked[position]!, ...identityOf(app, symbol, fingerprints) };
  }
  return { results };
}

/** The dex files that a thing is in; for a package, and for what is nowhere, the app's own. */
function loaderFor(app: OpenedApp, symbol: string): readonly Dex[] {
  const place = app.tree.placesOf(ownerOf(symbol))[0];
  return place === undefined ? (app.loaders[0] ?? []) : app.loaderOf(place.dex);
}

function identityOf(app: OpenedApp, symbol: string, known: Map<string, ClassFingerprint>) {
  const owner = ownerOf(symbol);
  const place = app.tree.placesOf(owner)[0];
  if (place === undefined) return { class_hash: '', place: null };
  const found = known.get(owner) ?? classFingerprint(place.dex, place.classIndex);
  known.set(owner, found);
  const key = /#(p\d+)$/.exec(symbol)?.[1];
  const member = found.places.get(key === undefined ? symbol : symbol.slice(0, -key.length - 1));
  return {
    class_hash: found.hash,
    place: member === undefined ? null : key === undefined ? member : `${member}#${key}`,
  };
}

/**
 * The things of a class by their places within it, parameters of methods left out.
 * @throws ExplorationFault `not-found`
 */
export function codePlacesOf(
  app: OpenedApp,
  { class: name, dex }: { class: string; dex?: string | undefined },
): CodePlaces {
  const places = app.tree.placesOf(name);
  const place = dex === undefined ? places[0] : places.find((one) => one.dex.where === dex);
  if (place === undefined) throw new ExplorationFault('not-found', 'no dex defines this class');
  const found = classFingerprint(place.dex, place.classIndex);
  return {
    class_hash: found.hash,
    places: Array.from(found.places, ([symbol, member]) => ({ place: member, symbol })),
  };
}
