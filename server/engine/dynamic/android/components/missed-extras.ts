// Extras that a component looks for in vain, so that other apps' later intents to it have them. Knows no intent.
import type { Value } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { plausibleText } from '../../world/plausible-text.ts';
import { worldOf } from '../../world/world.ts';
import type { Kept } from '../model-parts.ts';
import type { BundleState } from './bundle.ts';

/** Names learned of one component, and components. */
const maxNames = 24;
const maxComponents = 500;

interface Missed {
  /** The placeholder text of an extra, until the component compares it with another; each component has its own. */
  readonly usual: string;
  /** Types by name. */
  readonly types: Map<string, string>;
  /** How many of them some intent has had. */
  given: number;
  readonly said: Set<string>;
}

const missedBy = (machine: Machine): Map<string, Missed> =>
  machine.state('android.missed-extras', () => new Map<string, Missed>());

const texts: ReadonlySet<string> = new Set(['Ljava/lang/String;', 'Ljava/lang/CharSequence;']);
const numbers: Readonly<Record<string, Value>> = { Z: 1, B: 1, S: 1, I: 1, J: 1n, F: 1, D: 1 };

/** A name under which the component that runs found nothing of a type. */
export function missedExtra(machine: Machine, name: string, type: string): void {
  const { component } = recorderOf(machine);
  if (component === '' || (!texts.has(type) && numbers[type] === undefined)) return;
  const components = missedBy(machine);
  let missed = components.get(component);
  if (missed === undefined) {
    if (components.size >= maxComponents) return;
    const usual = components.size === 0 ? 'ok' : `ok${components.size + 1}`;
    missed = { usual, types: new Map(), given: 0, said: new Set() };
    components.set(component, missed);
  }
  if (missed.types.size < maxNames) missed.types.set(name, type);
}

/** The extra of a name; one that is missing, or of another type, is remembered. */
export function extraOf(machine: Machine, extras: BundleState, name: string, type: string): Kept | undefined {
  const kept = extras.get(name);
  if (kept === undefined) missedExtra(machine, name, type);
  return kept;
}

/** Texts that were not sent yet, the placeholder first. */
function unsaid(machine: Machine, { usual, types, said }: Missed): string[] {
  if (![...types.values()].some((type) => texts.has(type))) return [];
  return [usual, ...worldOf(machine).prompts.answersTo(usual)].filter((text) => !said.has(text));
}

/** Whether another intent could tell a component something new. */
export function asksForMore(machine: Machine, component: string): boolean {
  const missed = missedBy(machine).get(component);
  return missed !== undefined && (missed.types.size > missed.given || unsaid(machine, missed).length > 0);
}

/** Values for what the component has missed so far; texts say in turn what the app compares such ones with. */
export function learnedExtras(machine: Machine, component: string): Map<string, Kept> {
  const missed = missedBy(machine).get(component);
  if (missed === undefined) return new Map();
  missed.given = missed.types.size;
  const [text = missed.usual] = unsaid(machine, missed);
  missed.said.add(worldOf(machine).prompts.tell(text));
  return new Map(
    [...missed.types].map(([name, type]): [string, Kept] =>
      texts.has(type)
        ? [name, { kind: 'L', value: machine.string(plausibleText(name) ?? text), taint: 0 }]
        : [name, { kind: type, value: numbers[type]!, taint: 0 }],
    ),
  );
}
