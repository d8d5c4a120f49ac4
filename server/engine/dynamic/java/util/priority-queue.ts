// java.util.PriorityQueue: a binary heap with Java's sifting, whose order iteration shows. Knows no blocking.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { made, type Reference, required } from '../values.ts';
import { noSuchElement } from './collection-state.ts';
import { elementsOf } from './iteration.ts';
import { ListState } from './list-state.ts';
import { type Order, orderOf } from './sorted-state.ts';

/** The heap stands in the list's items, root first. */
export class HeapState extends ListState {
  readonly comparator: HeapObject | null;
  readonly order: Order;

  constructor(comparator: HeapObject | null, order: Order = orderOf(comparator)) {
    super();
    this.comparator = comparator;
    this.order = order;
  }

  override add(machine: Machine, element: Reference): boolean {
    machine.charge(16);
    this.modifications++;
    this.items.push(element);
    if (this.items.length === 1) this.order(machine, element, element);
    this.#siftUp(machine, this.items.length - 1, element);
    return true;
  }

  override removeAt(machine: Machine, index: number): Reference {
    this.modifications++;
    const removed = this.items[index]!;
    const last = this.items.pop()!;
    if (index < this.items.length) {
      this.#siftDown(machine, index, last);
      if (this.items[index] === last) this.#siftUp(machine, index, last);
    }
    return removed;
  }

  poll(machine: Machine): Reference | undefined {
    return this.items.length === 0 ? undefined : this.removeAt(machine, 0);
  }

  #siftUp(machine: Machine, start: number, element: Reference): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      if (this.order(machine, element, this.items[parent]!) >= 0) break;
      this.items[index] = this.items[parent]!;
      index = parent;
    }
    this.items[index] = element;
  }

  #siftDown(machine: Machine, start: number, element: Reference): void {
    const { items } = this;
    let index = start;
    while (index < items.length >>> 1) {
      let child = 2 * index + 1;
      if (child + 1 < items.length && this.order(machine, items[child]!, items[child + 1]!) > 0) child++;
      if (this.order(machine, element, items[child]!) <= 0) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = element;
  }
}

function heap(self: HeapObject): HeapState {
  return self.native as HeapState;
}

export const priorityQueueMethods: NativeMethods = {
  '<init>()V': made(() => new HeapState(null)),
  '<init>(I)V': made(() => new HeapState(null)),
  '<init>(Ljava/util/Comparator;)V': made((_machine, comparator: HeapObject | null) => new HeapState(comparator)),
  '<init>(ILjava/util/Comparator;)V': made(
    (_machine, _size: number, comparator: HeapObject | null) => new HeapState(comparator),
  ),
  '<init>(Ljava/util/Collection;)V': (machine, self, other: Reference) => {
    const state = new HeapState(null);
    self.native = state;
    for (const element of elementsOf(machine, other)) state.add(machine, element);
  },
  'add(Ljava/lang/Object;)Z': (machine, self, element: HeapObject | null) =>
    Number(heap(self).add(machine, required(machine, element))),
  'offer(Ljava/lang/Object;)Z': (machine, self, element: HeapObject | null) =>
    Number(heap(self).add(machine, required(machine, element))),
  'poll()Ljava/lang/Object;': (machine, self) => heap(self).poll(machine) ?? null,
  'remove()Ljava/lang/Object;': (machine, self) => {
    const element = heap(self).poll(machine);
    if (element === undefined) throw noSuchElement(machine);
    return element;
  },
  'peek()Ljava/lang/Object;': (_machine, self) => heap(self).items[0] ?? null,
  'element()Ljava/lang/Object;': (machine, self) => {
    const element = heap(self).items[0];
    if (element === undefined) throw noSuchElement(machine);
    return element;
  },
  'comparator()Ljava/util/Comparator;': (_machine, self) => heap(self).comparator,
};

export const priorityQueueModels: Record<string, ModelClass> = {
  'Ljava/util/PriorityQueue;': { extends: 'Ljava/util/AbstractQueue;', methods: priorityQueueMethods },
};
