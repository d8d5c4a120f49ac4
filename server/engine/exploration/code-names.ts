// Whether the code of an APK takes names and notes, and which member of a class is which. Knows no text.
import {
  type CodePlaces,
  type DerivedNames,
  type EqualClasses,
  maxDerivedNames,
  maxEqualClasses,
  type NameChange,
  type NameVerdict,
  type NameVerdicts,
} from '../../contract/engine/code-names.ts';
import type { ClassPlace } from '../code/class-hierarchy.ts';
import { checkNames } from '../decompiler/names/name-checks.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { type ClassFingerprint, classFingerprint } from '../similarity/class-fingerprint.ts';
import { ExplorationFault } from './fault.ts';
import { programFor, programOf } from './java-source.ts';
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
  return toldPlaces(classFingerprint(place.dex, place.classIndex));
}

const toldPlaces = ({ hash, places }: ClassFingerprint): CodePlaces => ({
  class_hash: hash,
  places: Array.from(places, ([symbol, place]) => ({ place, symbol })),
});

/** Hashes of all classes of an app, by place: what is asked for again in a moment. */
const hashes = new WeakMap<OpenedApp, Map<string, ClassPlace[]>>();

/** The classes that have one of some hashes. Where several have the same, nobody can tell which is which: they are left out. */
export function equalClassesOf(app: OpenedApp, question: { hashes: readonly string[] }): EqualClasses {
  let byHash = hashes.get(app);
  if (byHash === undefined) {
    byHash = new Map();
    for (const dex of app.dexes) {
      for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
        const { hash } = classFingerprint(dex, classIndex);
        if (hash === '') continue;
        const places = byHash.get(hash);
        if (places === undefined) byHash.set(hash, [{ dex, classIndex }]);
        else places.push({ dex, classIndex });
      }
    }
    hashes.set(app, byHash);
  }
  const classes: CodePlaces[] = [];
  for (const hash of question.hashes) {
    const [place, ...others] = byHash.get(hash) ?? [];
    if (place === undefined || others.length > 0 || classes.length >= maxEqualClasses) continue;
    classes.push(toldPlaces(classFingerprint(place.dex, place.classIndex)));
  }
  return { classes };
}

/** What a class is called after its package, where that is not what the code calls it. */
export function renamedClass(app: OpenedApp, name: string): string | null {
  if (!app.isRenamed) return null;
  const { dex } = app.tree.placesOf(name)[0]!;
  return programFor(app, dex, name).program.given.classes.get(name)?.name ?? null;
}

/** The readable names of what the app's own code calls by no word, where they are switched on. */
export function derivedNamesOf(app: OpenedApp): DerivedNames {
  const [own] = app.loaders;
  if (own === undefined || !app.names.deobfuscate) return { names: [] };
  const given = new Set(app.names.names.map(([symbol]) => symbol));
  const names = programOf(app, own).names.filter(([symbol]) => !given.has(symbol));
  return { names: names.slice(0, maxDerivedNames).map(([symbol, name]) => [symbol, name]) };
}
