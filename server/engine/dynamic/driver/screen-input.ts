// What a person does on one screen: types, touches, opens the menu, presses keys. Knows no way to another screen.
import { callApp } from '../android/components/activity-life.ts';
import type { ActivityRecord } from '../android/components/app.ts';
import { isAppMethod } from '../android/model-parts.ts';
import { shownDialogViews } from '../android/screens/dialogs.ts';
import { chooseItem, menuItemOf, menuOf, newMenu } from '../android/screens/menus.ts';
import { pictureOf } from '../android/screens/pictures.ts';
import { changeText } from '../android/views/text-views.ts';
import { allViews } from '../android/views/view-tree.ts';
import { quoted, shownText, viewWords } from '../android/views/view-words.ts';
import type { HeapObject, JavaString } from '../machine/heap.ts';
import { recorderOf } from '../report/recorder.ts';
import { worldOf } from '../world/world.ts';
import type { AppProcess, Cause } from './app-process.ts';
import { maxIdleTouches, maxRounds } from './budget.ts';
import { isTouch, type ListenerEvents } from './listener-events.ts';
import type { Novelty } from './novelty.ts';
import { ownInputs } from './own-input.ts';
import { Typist } from './typing.ts';

/** Rounds of typing into one screen with texts from the app: a name, its password, a code after them. */
const maxAnswers = 4;

export class ScreenInput {
  readonly #process: AppProcess;
  readonly #events: ListenerEvents;
  readonly #typist: Typist;
  readonly #novelty: Novelty;

  constructor(process: AppProcess, events: ListenerEvents, novelty: Novelty) {
    this.#process = process;
    this.#events = events;
    this.#typist = new Typist(process.machine);
    this.#novelty = novelty;
  }

  /** Touches everything on the top screen, and uses what that opens. */
  use(isReversed: boolean, times = maxRounds): void {
    const { app } = this.#process;
    for (let round = 0; round < times; round++) {
      const front = app.front;
      if (front === null) return;
      this.#type(front, (field) => this.#typist.firstFor(field));
      if (round === 0) this.#draw(front);
      this.#look(front);
      const before = this.#events.count;
      this.#events.fireReady(isReversed, isTouch, round === 0 ? 0 : 1);
      if (round === 0) {
        this.#menu(front);
        this.#own(front);
      }
      if (app.front === front) this.#look(front);
      if (this.#events.count === before) break;
    }
    if (app.front !== null) this.#answer(app.front);
  }

  /** Takes down what a person sees now. */
  #look({ content, component }: ActivityRecord): void {
    const { machine } = this.#process;
    const recorder = recorderOf(machine);
    if (!recorder.hasRoomForScreen(component.name)) return;
    recorder.screen(component.name, worldOf(machine).device.screen, pictureOf(machine, content));
  }

  /** Calls onDraw of the app's own views. */
  #draw({ content, component }: ActivityRecord): void {
    if (content === null) return;
    const { machine } = this.#process;
    for (const view of allViews(content)) {
      if (!isAppMethod(machine, view, 'onDraw(Landroid/graphics/Canvas;)V')) continue;
      const canvas = machine.allocate('Landroid/graphics/Canvas;');
      this.#process.run(component.name, () => {
        callApp(machine, component.name, () => machine.call(view, 'onDraw(Landroid/graphics/Canvas;)V', canvas));
      });
    }
  }

  /** Types into the fields of a screen and of its dialogs what `textFor` has for each; whether there was anything. */
  #type({ content, component }: ActivityRecord, textFor: (field: HeapObject) => JavaString | null): boolean {
    const { machine } = this.#process;
    let hasTyped = false;
    const roots = [...(content === null ? [] : [content]), ...shownDialogViews(machine)];
    for (const view of roots.flatMap(allViews)) {
      const typed = machine.isInstance(view, 'Landroid/widget/EditText;') ? textFor(view) : null;
      if (typed === null) continue;
      hasTyped = true;
      const what = `typed${quoted(typed.text)} into the ${viewWords(machine, view)}`;
      this.#process.run(
        component.name,
        () => callApp(machine, component.name, () => changeText(machine, view, typed)),
        { by: 'user', what },
      );
    }
    return hasTyped;
  }

  /** Where the app compared the typed text with others, those are typed in turn, and the screen is used again. */
  #answer(front: ActivityRecord): void {
    const { app } = this.#process;
    for (let attempt = 0; attempt < maxAnswers && app.front === front; attempt++) {
      if (!this.#type(front, (field) => this.#typist.nextFor(field))) return;
      this.#events.fireTouches(() => app.front === front);
    }
  }

  #menu({ object, component }: ActivityRecord): void {
    const { machine } = this.#process;
    const { name } = component;
    const menu = newMenu(machine);
    this.#process.run(name, () => {
      callApp(machine, name, () => {
        machine.call(object, 'onCreatePanelMenu(ILandroid/view/Menu;)Z', 0, menu);
        machine.call(object, 'onPrepareOptionsMenu(Landroid/view/Menu;)Z', menu);
      });
    });
    for (const item of [...menuOf(menu).items]) {
      const { onClick, title } = menuItemOf(item);
      const words = quoted(shownText(machine, title));
      const key = `${name} menu${words}`;
      if (words !== '' && this.#novelty.isTired(key, maxIdleTouches)) continue;
      const chosen: Cause = { by: 'user', what: `chose${words} in the menu` };
      const handler = `${onClick}(Landroid/view/MenuItem;)V`;
      const hasHandler = onClick !== null && machine.resolveMethod(object.cls, handler) !== null;
      const otherwise = () => {
        if (hasHandler) machine.call(object, handler, item);
        else machine.call(object, 'onMenuItemSelected(ILandroid/view/MenuItem;)Z', 0, item);
      };
      this.#novelty.try(key, () => {
        this.#process.run(name, () => void callApp(machine, name, () => chooseItem(machine, item, otherwise)), chosen);
        this.#process.wait(200);
      });
    }
  }

  /** Touches and keys that the screen and its views take care of themselves. */
  #own({ object, content, component }: ActivityRecord): void {
    const { machine } = this.#process;
    const { name } = component;
    for (const each of [object, ...(content === null ? [] : allViews(content))]) {
      for (const { what, signature, argument } of ownInputs(machine, each)) {
        const key = `${name} ${each.cls.name} ${signature}`;
        if (each !== object && this.#novelty.isTired(key, maxIdleTouches)) continue;
        const call = () => machine.call(each, signature, ...argument(machine));
        const cause: Cause = { by: 'user', what, isUsual: each !== object };
        this.#novelty.try(key, () => this.#process.run(name, () => void callApp(machine, name, call), cause));
      }
    }
  }
}
