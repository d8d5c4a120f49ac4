// What the user types into a field: a text of its kind first, then the texts that the app compared it with. Knows no screen.
import { appOf } from '../android/components/app.ts';
import { plain } from '../android/model-parts.ts';
import { isPasswordField, type ViewState, viewOf } from '../android/views/view-tree.ts';
import { viewWords } from '../android/views/view-words.ts';
import type { HeapObject, JavaString } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { typedText } from '../world/people.ts';
import { worldOf } from '../world/world.ts';

/** The screens on which something was typed. */
export const typedScreens = (machine: Machine): Set<string> => machine.state('driver.typed-screens', () => new Set());

export class Typist {
  readonly #machine: Machine;
  /** How many of the app's own texts each field was given. */
  readonly #tried = new WeakMap<HeapObject, number>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** The text for an empty field; null for one that has text. */
  firstFor(field: HeapObject): JavaString | null {
    const state = viewOf(field);
    if (state.text !== null && plain(this.#machine, state.text) !== '') return null;
    return this.#typed(field, this.#usualText(state));
  }

  /** The next text that the app compared the usual one with; null where there is no more. */
  nextFor(field: HeapObject): JavaString | null {
    const state = viewOf(field);
    const tried = this.#tried.get(field) ?? 0;
    const answer = worldOf(this.#machine).prompts.answersTo(this.#usualText(state))[tried];
    if (answer === undefined) return null;
    this.#tried.set(field, tried + 1);
    return this.#typed(field, answer);
  }

  #typed(field: HeapObject, text: string): JavaString {
    const machine = this.#machine;
    worldOf(machine).prompts.tell(text);
    const screen = appOf(machine).front?.component.name;
    if (screen !== undefined) typedScreens(machine).add(screen);
    if (!isPasswordField(viewOf(field))) return machine.string(text);
    const place = `${viewWords(machine, field)}${screen === undefined ? '' : ` of ${screen}`}`;
    return machine.string(text, machine.source('TAINT_PASSWORD', 'EditText.getText', place));
  }

  #usualText(state: ViewState): string {
    if (isPasswordField(state)) return typedText.password;
    const { inputType } = state;
    const hint = state.hint === null ? '' : plain(this.#machine, state.hint).toLowerCase();
    if ((inputType & 0xf) === 3 || hint.includes('phone')) return typedText.phone;
    if ((inputType & 0xf) === 2) return /card|karte/.test(hint) ? typedText.card : typedText.number;
    if ((inputType & 0xff0) === 0x20 || hint.includes('mail')) return typedText.email;
    return hint.includes('name') ? typedText.name : typedText.text;
  }
}
