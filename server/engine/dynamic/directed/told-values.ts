// What the app is told from outside, by which call or constant of the platform, and what a trial tells it instead. Knows no
// driver.

import { appOf } from '../android/components/app.ts';
import { editable } from '../android/views/text-views.ts';
import { viewWords } from '../android/views/view-words.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import type { TaintedValue } from '../machine/direction.ts';
import { HeapObject, JavaString, type Taint, type Value } from '../machine/heap.ts';
import type { MachineHost } from '../machine/machine.ts';

/** A text or a number, as one compares it; undefined for what is neither. */
export type Plain = string | number | bigint | null;

/** Where the app is told something. */
export interface ToldPlace {
  /** `android.content.Intent.getStringExtra("order")` */
  readonly words: string;
  /** Descriptor of what it tells. */
  readonly type: string;
  readonly taint: Taint;
  /** What it told last. */
  last: Plain;
}

/** What is told instead, by the words of its place. */
export type Instead = ReadonlyMap<string, Plain>;

const toldTag = 'told';
/** An app with more places compares what it reads from them with each other. */
const maxPlaces = 400;
/** Answers of one place that a trial changes: a loop that waits for another one goes on after them. */
const maxChanged = 32;
const maxShown = 60;

/** Classes whose answers come from the phone, its owner, other apps or a server. */
const outside =
  /^L(?:android\/(?:accounts|app|bluetooth|content|hardware|location|nfc|os|preference|provider|telephony)\/|android\/net\/(?!Uri)|android\/database\/|android\/widget\/|org\/apache\/http\/|org\/json\/JSON|java\/io\/(?:File|BufferedReader);|java\/lang\/System;|java\/net\/\w*URLConnection;|java\/util\/(?:Locale|\w*Calendar|Date|Random|TimeZone|Properties);|javax\/net\/)/;
/** And those among them that only hold what the app itself made. */
const inside =
  /^Landroid\/(?:app\/(?:Activity|Fragment|Dialog|Pending|Notification\$)|content\/(?:res\/(?!Configuration)|ContentValues|UriMatcher|ComponentName)|os\/(?:Handler|Looper|Message|Parcel|AsyncTask|Process|CountDownTimer)|database\/sqlite\/)/;
const asks =
  /^(?:get|is|has(?!hCode)|can|check|contains|opt|exists|length|last|readLine|currentTimeMillis|nanoTime|elapsed|nextInt|nextBoolean|query|are|should)/;
const tells = /^(?:[ZBSCIJFD]|Ljava\/lang\/(?:String|CharSequence);|Landroid\/text\/Editable;)$/;
const fieldText = 'Landroid/text/Editable;';
const widgetAnswers = /^(?:getText|isChecked|getSelectedItemPosition|getCheckedRadioButtonId|getProgress|getRating)$/;

export class ToldValues {
  readonly #machine: MachineHost;
  readonly #places = new Map<string, ToldPlace>();
  readonly #changed = new Map<string, number>();
  #instead: Instead = new Map();

  constructor(machine: MachineHost) {
    this.#machine = machine;
  }

  /** Whether a method of the platform tells something from outside. */
  static tells({ owner, name, returns }: MethodInfo): boolean {
    const { descriptor } = owner;
    if (!tells.test(returns) || !outside.test(descriptor) || inside.test(descriptor)) return false;
    return descriptor.startsWith('Landroid/widget/') ? widgetAnswers.test(name) : asks.test(name);
  }

  /** From here on so many places tell something else. */
  tellInstead(instead: Instead): void {
    this.#instead = instead;
    this.#changed.clear();
    for (const place of this.#places.values()) if (isConstant(place)) this.#setConstant(place);
  }

  /** Makes a constant of the platform a place that tells. */
  addConstant(owner: string, name: string, type: string): void {
    const value = this.#machine.getStatic(owner, name);
    const words = `${owner.slice(1, -1).replaceAll('/', '.')}.${name}`;
    const place = this.#placeOf(words, type);
    if (place === null) return;
    place.last = plainOf(value) ?? null;
    this.#constants.set(place, { owner, name, usual: place.last });
    this.#setConstant(place);
  }

  readonly #constants = new Map<ToldPlace, { owner: string; name: string; usual: Plain }>();

  #setConstant(place: ToldPlace): void {
    const constant = this.#constants.get(place);
    if (constant === undefined) return;
    const { owner, name, usual } = constant;
    place.last = this.#instead.has(place.words) ? this.#instead.get(place.words)! : usual;
    this.#machine.setStatic(owner, name, this.#valueOf(place, place.last), place.taint);
  }

  /** What a method that tells something answers now, with the taint of its place. */
  answered(method: MethodInfo, args: readonly Value[], value: Value): TaintedValue | null {
    const plain = this.#plainOf(value, method.returns);
    if (plain === undefined) return null;
    const place = this.#placeOf(this.#wordsOf(method, args), method.returns);
    if (place === null) return null;
    const changed = this.#changed.get(place.words) ?? 0;
    if (!this.#instead.has(place.words) || changed >= maxChanged) {
      place.last = plain;
      return { value: method.returns === fieldText ? this.#valueOf(place, plain) : value, taint: place.taint };
    }
    this.#changed.set(place.words, changed + 1);
    place.last = this.#instead.get(place.words)!;
    return { value: this.#valueOf(place, place.last), taint: place.taint };
  }

  /** The places that a value comes from. */
  placesIn(taint: Taint): ToldPlace[] {
    return this.#machine
      .sourcesOf(taint)
      .filter(({ tag }) => tag === toldTag)
      .flatMap(({ api }) => this.#places.get(api) ?? []);
  }

  #placeOf(words: string, type: string): ToldPlace | null {
    let place = this.#places.get(words);
    if (place === undefined) {
      if (this.#places.size >= maxPlaces) return null;
      place = { words, type, taint: this.#machine.source(toldTag, words), last: null };
      this.#places.set(words, place);
    }
    return place;
  }

  /** With what it is asked for: the first text, or the numbers, and which view. */
  #wordsOf(method: MethodInfo, args: readonly Value[]): string {
    const { owner, name } = method;
    const shown = /Impl$/.test(owner.name) ? (owner.interfaces[0]?.name ?? owner.name) : owner.name;
    const [receiver] = args;
    const own = args.slice(args.length - method.parameters.length);
    if (owner.descriptor.startsWith('Landroid/widget/') && receiver instanceof HeapObject)
      return `${shown}.${name} of the ${viewWords(this.#machine, receiver)}${this.#screen}`;
    if (owner.descriptor === 'Ljava/io/File;' && receiver instanceof HeapObject)
      return `${shown}.${name} of ${this.#machine.toText(receiver).text}`;
    const key = own.find((each): each is JavaString => each instanceof JavaString);
    const numbers = own.filter((each) => typeof each === 'number');
    const asked = key === undefined ? numbers.join(', ') : JSON.stringify(key.text.slice(0, maxShown));
    return `${shown}.${name}(${asked})`;
  }

  /** What a field holds is no string, and is compared as one. */
  #plainOf(value: Value, type: string): Plain | undefined {
    const plain = plainOf(value);
    return plain === undefined && type === fieldText ? this.#machine.toText(value as HeapObject).text : plain;
  }

  /** A screen's things are told from those of another screen. */
  get #screen(): string {
    const { front } = appOf(this.#machine);
    return front === null ? '' : ` on ${front.component.name}`;
  }

  #valueOf({ type, taint }: ToldPlace, plain: Plain): Value {
    if (type === 'J') return BigInt(plain ?? 0);
    if (type.length === 1) return Number(plain ?? 0);
    if (plain === null) return null;
    const text = this.#machine.string(String(plain), taint);
    return type === fieldText ? editable(this.#machine, text) : text;
  }
}

/** Whether somebody types what a place tells. */
export const isTyped = ({ words }: ToldPlace): boolean => /^android\.widget\.\w+\.getText of the /.test(words);

const isConstant = ({ words }: ToldPlace): boolean => !/[( ]/.test(words);

/** What a place tells, as Java writes it. */
export function tellingText({ type }: ToldPlace, value: Plain): string {
  return type === 'Z' ? String(Number(value) !== 0) : String(value);
}

/** A text or a number of the machine's; undefined for other objects. */
export function plainOf(value: Value): Plain | undefined {
  if (value instanceof JavaString) return value.text;
  return value instanceof HeapObject ? undefined : value;
}
