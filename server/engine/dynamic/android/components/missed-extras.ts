// Extras that a component looks for in vain, so that other apps' later intents to it have them. Knows no intent.
import type { Value } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { plausibleText } from '../../world/plausible-text.ts';
import { worldOf } from '../../world/world.ts';
import type { Kept } from '../model-parts.ts';
import type { BundleState } from './bundle.ts';
import { plausibleObject } from './plausible-objects.ts';

/** Names learned of one component, and components. */
const maxNames = 24;
const maxComponents = 500;

interface Missed {
  /** The placeholder text of an extra, until the component compares it with another; each component has its own. */
  readonly usual: string;
  /** Types by name. */
  readonly types: Map<string, string>;
  /** How often a type became known, and how many of these some intent has heeded. */
  learned: number;
  given: number;
  readonly said: Set<string>;
  /** Whether it looked at an intent's action. */
  asksForAction: boolean;
  readonly saidActions: Set<string>;
}

const missedBy = (machine: Machine): Map<string, Missed> =>
  machine.state('android.missed-extras', () => new Map<string, Missed>());

const texts: ReadonlySet<string> = new Set(['Ljava/lang/String;', 'Ljava/lang/CharSequence;']);
const numbers: Readonly<Record<string, Value>> = { Z: 1, B: 1, S: 1, I: 1, J: 1n, F: 1, D: 1 };

/** Those whose class the code says only where it casts what it got. */
const casts: ReadonlySet<string> = new Set(['Landroid/os/Parcelable;', 'Ljava/io/Serializable;', 'Ljava/lang/Object;']);

/** What is known of what the running component asks for; null where none runs, or too many do. */
function missedHere(machine: Machine): Missed | null {
  const { component } = recorderOf(machine);
  const components = missedBy(machine);
  const known = components.get(component);
  if (known !== undefined) return known;
  if (component === '' || components.size >= maxComponents) return null;
  const usual = components.size === 0 ? 'ok' : `ok${components.size + 1}`;
  const missed = {
    ...{ usual, types: new Map(), learned: 0, given: 0, said: new Set<string>() },
    ...{ asksForAction: false, saidActions: new Set<string>() },
  };
  components.set(component, missed);
  return missed;
}

/** A name under which the component that runs found nothing of a type. */
export function missedExtra(machine: Machine, name: string, type: string): void {
  const wanted = casts.has(type) ? machine.castOfResult() : type;
  const missed = wanted === null ? null : missedHere(machine);
  if (missed === null || missed.types.size >= maxNames || missed.types.get(name) === wanted) return;
  missed.types.set(name, wanted!);
  missed.learned += 1;
}

/** Whether there is an extra of a name; of one that is missing any type will do until the app asks for another. */
export function hasExtra(machine: Machine, extras: BundleState, name: string): boolean {
  const isThere = extras.has(name);
  if (!isThere && missedHere(machine)?.types.has(name) === false) missedExtra(machine, name, 'Ljava/lang/String;');
  return isThere;
}

/** The component that runs looks at an intent's action. */
export function askedForAction(machine: Machine): void {
  const missed = missedHere(machine);
  if (missed !== null) missed.asksForAction = true;
}

/** The extra of a name; one that is missing, or of another type, is remembered. */
export function extraOf(machine: Machine, extras: BundleState, name: string, type: string): Kept | undefined {
  const kept = extras.get(name);
  if (kept === undefined || (kept.kind !== 'L' && texts.has(type)) || (kept.kind === 'L' && type.length === 1))
    missedExtra(machine, name, type);
  if (kept?.made === undefined) return kept;
  const made: Kept = { kind: 'L', value: plausibleObject(machine, kept.made, name), taint: 0 };
  extras.set(name, made);
  return made;
}

/** Texts that were not sent yet, the placeholder first. */
function unsaid(machine: Machine, { usual, types, said }: Missed): string[] {
  if (![...types.values()].some((type) => texts.has(type))) return [];
  return [usual, ...worldOf(machine).prompts.answersTo(usual)].filter((text) => !said.has(text));
}

/** Actions that were not sent yet, the placeholder first. */
const unsaidActions = (machine: Machine, { usual, asksForAction, saidActions }: Missed): string[] =>
  asksForAction ? [usual, ...worldOf(machine).prompts.answersTo(usual)].filter((text) => !saidActions.has(text)) : [];

/** Whether another intent could tell a component something new. */
export function asksForMore(machine: Machine, component: string): boolean {
  const missed = missedBy(machine).get(component);
  return missed !== undefined && (missed.learned > missed.given || unsaid(machine, missed).length > 0);
}

/** Whether another intent could bring a component an extra that it looked for and had not. */
export function lacksExtras(machine: Machine, component: string): boolean {
  const missed = missedBy(machine).get(component);
  return missed !== undefined && missed.learned > missed.given;
}

/** An action that the component may wait for and was not sent yet; null where none is known. */
export function nextAction(machine: Machine, component: string): string | null {
  const missed = missedBy(machine).get(component);
  const [action] = missed === undefined ? [] : unsaidActions(machine, missed);
  if (action === undefined) return null;
  missed!.saidActions.add(worldOf(machine).prompts.tell(action));
  return action;
}

/** Values for what the component has missed so far; texts say in turn what the app compares such ones with. */
export function learnedExtras(machine: Machine, component: string): Map<string, Kept> {
  const missed = missedBy(machine).get(component);
  if (missed === undefined) return new Map();
  missed.given = missed.learned;
  const [text = missed.usual] = unsaid(machine, missed);
  missed.said.add(worldOf(machine).prompts.tell(text));
  return new Map(
    [...missed.types].map(([name, type]): [string, Kept] => {
      if (texts.has(type)) return [name, { kind: 'L', value: machine.string(plausibleText(name) ?? text), taint: 0 }];
      const number = numbers[type];
      return [
        name,
        number === undefined
          ? { kind: 'L', value: null, taint: 0, made: type }
          : { kind: type, value: number, taint: 0 },
      ];
    }),
  );
}
