// A list of what a run was seen to do: equal events are one, and what happens often leaves room for what is rare. Knows no
// event's meaning.

/** How often an event was seen. */
export interface Repeated {
  /** 1 and more. */
  count: number;
  /** When it was last seen, virtual seconds since the run's start. */
  last: number;
}

interface EventBounds {
  /** Different events. */
  readonly most: number;
  /** Different events of one group. */
  readonly mostOfGroup: number;
}

/** Of a group that has no more, events go in when the list is full. */
const rareOfGroup = 3;
/** Of a full list's length, what rare events may add to it. */
const roomForRare = 0.25;

export class NotedEvents<Event extends { readonly time: number }> {
  readonly items: (Event & Repeated)[] = [];
  readonly #bounds: EventBounds;
  readonly #byKey = new Map<string, Event & Repeated>();
  readonly #groups = new Map<string, number>();

  constructor(bounds: EventBounds) {
    this.#bounds = bounds;
  }

  /**
   * Notes an event, or that one was seen again.
   * @param key the same for equal events
   * @param group events that are of one kind to a reader: of one file, one host, one number
   * @returns whether it is new; null where there is no room for it
   */
  add(event: Event, key: string, group: string): boolean | null {
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.last = event.time;
      return false;
    }
    const ofGroup = this.#groups.get(group) ?? 0;
    if (!this.#hasRoom(ofGroup)) return null;
    const noted = { ...event, count: 1, last: event.time };
    this.items.push(noted);
    this.#byKey.set(key, noted);
    this.#groups.set(group, ofGroup + 1);
    return true;
  }

  #hasRoom(ofGroup: number): boolean {
    const { most, mostOfGroup } = this.#bounds;
    const { length } = this.items;
    if (length < most) return ofGroup < mostOfGroup;
    return ofGroup < rareOfGroup && length < most * (1 + roomForRare);
  }
}

/** One text for equal contents, another for any other: texts, numbers, flags, bytes, and lists and records of these. */
export function keyOf(content: unknown): string {
  if (content instanceof Uint8Array) return `${content.length}:${Buffer.from(content).toString('latin1')}`;
  if (typeof content !== 'object' || content === null) {
    const text = String(content);
    return `${typeof content} ${text.length}:${text}`;
  }
  const parts = Object.values(content).map(keyOf);
  return `${parts.length}[${parts.join('')}]`;
}
