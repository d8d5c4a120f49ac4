// APKs and what they have in common as a network: each thing that is opened shows what it is tied to. Knows no drawing.
import type { Apk } from '../../../../server/contract/catalogue/apk.ts';
import type { PivotField } from '../../../../server/contract/catalogue/pivot.ts';
import type { Verdict } from '../../../../server/contract/catalogue/verdict.ts';
import type { IconName } from '../../../components/picture/icon.tsx';
import type { Network, NetworkNode, NetworkTie } from '../../../components/picture/network/network.ts';
import { apkName } from '../../../components/place/named-link.tsx';
import type { Tone } from '../../../components/text/chip.tsx';
import { verdictTexts } from '../../../components/verdict/texts.ts';
import { networkTexts as words } from './texts.ts';

/** An APK that the picture shows. */
export interface ApkThing {
  id: string;
  kind: 'apk';
  apk: Apk;
}
/** What APKs have in common. */
export interface TraitThing {
  id: string;
  kind: 'trait';
  field: PivotField;
  value: string;
  /** What people call it; empty: the value says it. */
  label: string;
  /** APKs that have it. */
  count: number;
}
export type Thing = ApkThing | TraitThing;

/** One thing that another is tied to. */
interface Found {
  thing: Thing;
  /** 0 to 1: how far it is from it. */
  length: number;
  /** What is said of the tie, under the thing. */
  note: string;
}

/** What a thing that was opened is tied to. */
export interface Opening {
  id: string;
  /** undefined: it is not known yet. */
  found: readonly Found[] | undefined;
  /** Those beyond what is shown of one thing. */
  leftOut: number;
}

/** More are no picture. */
const maxNodes = 150;

const letters: Record<Verdict, string> = { malicious: 'M', suspicious: 'S', clean: 'C', unknown: '–' };
const tones: Record<Verdict, Tone> = { malicious: 'critical', suspicious: 'high', clean: 'good', unknown: 'info' };

/** The sign of each kind of trait. */
export const traitIcons: Record<PivotField, IconName> = {
  family: 'families',
  signer: 'person',
  cert: 'key',
  domain: 'globe',
  ip: 'globe',
  payload: 'file',
  icon: 'app',
};

/** What it is called. A drawn icon is seen; its hash tells nobody anything. */
export const traitName = ({ field, label, value }: TraitThing) =>
  label || (field === 'icon' ? words.fields.icon : value);

/** How verdicts look in the picture. */
export const verdictLooks = Object.entries(letters).map(([verdict, letter]) => ({
  letter,
  tone: tones[verdict as Verdict],
  label: verdictTexts.labels[verdict as Verdict],
}));

export const apkId = (sha256: string) => `apk:${sha256}`;
export const traitId = (field: PivotField, value: string) => `${field}:${value}`;
export const apkThing = (apk: Apk): ApkThing => ({ id: apkId(apk.sha256), kind: 'apk', apk });

/** @param image of an APK that has it */
function nodeOf(thing: Thing, note: string, state: NetworkNode['state'], image: string | null): NetworkNode {
  const { id } = thing;
  if (thing.kind === 'trait')
    return {
      id,
      label: traitName(thing),
      note: words.having(thing.count),
      kind: words.fields[thing.field],
      tone: thing.count > 1 ? 'low' : 'quiet',
      look: { shape: 'square', icon: traitIcons[thing.field], image: thing.field === 'icon' ? image : null },
      state,
    };
  const { apk } = thing;
  const { verdict } = apk.workstation;
  return {
    id,
    label: apkName(apk),
    note,
    kind: words.apk(verdictTexts.labels[verdict]),
    tone: tones[verdict],
    look: { shape: 'round', image: apk.image, letter: letters[verdict] },
    state,
  };
}

interface DrawnNetwork {
  network: Network;
  things: ReadonlyMap<string, Thing>;
  leftOut: number;
}

/** @param openings in the order in which they were opened; those of things that are not shown show nothing */
export function networkOf(middle: Thing, openings: readonly Opening[]): DrawnNetwork {
  const states = new Map(openings.map(({ id, found }) => [id, found === undefined ? 'waiting' : 'open'] as const));
  const stateOf = (id: string) => states.get(id) ?? 'closed';
  const things = new Map([[middle.id, middle]]);
  const nodes = [nodeOf(middle, words.middle, stateOf(middle.id), null)];
  const ties = new Map<string, NetworkTie>();
  let leftOut = 0;
  for (const { id, found = [], leftOut: more } of openings) {
    const opened = things.get(id);
    if (opened === undefined) continue;
    const image = opened.kind === 'apk' ? opened.apk.image : null;
    leftOut += more;
    for (const { thing, length, note } of found) {
      if (thing.id === id) continue;
      if (!things.has(thing.id)) {
        if (nodes.length >= maxNodes) {
          leftOut += 1;
          continue;
        }
        things.set(thing.id, thing);
        nodes.push(nodeOf(thing, note, stateOf(thing.id), image));
      }
      // Both may have been opened: they are tied once.
      const key = [id, thing.id].sort().join(' ');
      if (!ties.has(key)) ties.set(key, { from: id, to: thing.id, length });
    }
  }
  return { network: { nodes, ties: [...ties.values()] }, things, leftOut };
}
