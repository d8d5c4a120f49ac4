// java.util.HashMap's table with Java's bucket order, LinkedHashMap's order on top, and Hashtable's own. Knows no method tables.
import { type HeapObject, JavaString } from '../../machine/heap.ts';
import { identityHash } from '../../machine/identity-hash.ts';
import type { Machine } from '../../machine/model.ts';
import { stringHash } from '../lang/number-text.ts';
import { illegalState, type Reference } from '../values.ts';
import { concurrentModification, type Entry, type EntryCursor, MapState, noSuchElement } from './collection-state.ts';

/** Bytes that an entry is charged with. */
const ENTRY_BYTES = 64;
const MAXIMUM_CAPACITY = 1 << 24;

class Node implements Entry {
  readonly hash: number;
  key: Reference;
  value: Reference;
  object?: HeapObject;
  next: Node | null = null;
  before: Node | null = null;
  after: Node | null = null;
  isGone = false;

  constructor(hash: number, key: Reference, value: Reference) {
    this.hash = hash;
    this.key = key;
    this.value = value;
  }
}

export type HashOrder = 'buckets' | 'inserted' | 'accessed' | 'hashtable';

export interface HashSettings {
  readonly order?: HashOrder;
  /** The constructor's initial capacity, rounded up to a power of two. */
  readonly capacity?: number;
  readonly loadFactor?: number;
  /** IdentityHashMap. */
  readonly isByIdentity?: boolean;
  /** Iterators of concurrent maps throw no ConcurrentModificationException. */
  readonly isConcurrent?: boolean;
}

export class HashTable extends MapState {
  readonly order: HashOrder;
  readonly isConcurrent: boolean;
  modifications = 0;
  #table: (Node | null)[] = [];
  #capacity: number;
  #count = 0;
  #first: Node | null = null;
  #last: Node | null = null;
  readonly #loadFactor: number;
  readonly #isByIdentity: boolean;

  constructor(settings: HashSettings = {}) {
    super();
    this.order = settings.order ?? 'buckets';
    this.isConcurrent = settings.isConcurrent ?? false;
    this.#isByIdentity = settings.isByIdentity ?? false;
    this.#loadFactor = settings.loadFactor ?? 0.75;
    const wanted = settings.capacity ?? (this.order === 'hashtable' ? 11 : 16);
    this.#capacity =
      this.order === 'hashtable' ? Math.max(1, Math.min(wanted, MAXIMUM_CAPACITY)) : tableSizeFor(wanted);
  }

  override contents(): Iterable<unknown> {
    return this.#nodes().flatMap((node) => [node.key, node.value]);
  }

  override size(): number {
    return this.#count;
  }

  /** `putAll` and copy constructors make room first, which decides the later order. */
  reserve(count: number): void {
    if (this.order === 'hashtable') return;
    const needed = Math.min(MAXIMUM_CAPACITY, Math.floor(count / this.#loadFactor + 1));
    if (this.#table.length === 0) {
      if (needed > this.#capacity * this.#loadFactor) this.#capacity = Math.max(this.#capacity, tableSizeFor(needed));
    } else while (count > this.#capacity * this.#loadFactor && this.#capacity < MAXIMUM_CAPACITY) this.#grow();
  }

  override find(machine: Machine, key: Reference): Node | null {
    if (this.#count === 0) return null;
    const hash = this.#hash(machine, key);
    for (let node = this.#table[this.#index(hash)] ?? null; node !== null; node = node.next) {
      if (node.hash === hash && this.#equal(machine, key, node.key)) return node;
    }
    return null;
  }

  override put(machine: Machine, key: Reference, value: Reference): Reference | undefined {
    if (this.#table.length === 0) this.#table = new Array<Node | null>(this.#capacity).fill(null);
    const hash = this.#hash(machine, key);
    const index = this.#index(hash);
    let last: Node | null = null;
    for (let node = this.#table[index] ?? null; node !== null; node = node.next) {
      if (node.hash === hash && this.#equal(machine, key, node.key)) {
        const before = node.value;
        node.value = value;
        this.touch(node);
        return before;
      }
      last = node;
    }
    machine.charge(ENTRY_BYTES);
    const node = new Node(hash, key, value);
    this.modifications++;
    if (this.order === 'hashtable') this.#putFirst(node);
    else {
      if (last === null) this.#table[index] = node;
      else last.next = node;
      this.#link(node);
      this.#count++;
      if (this.#count > this.#capacity * this.#loadFactor && this.#capacity < MAXIMUM_CAPACITY) this.#grow();
    }
  }

  override remove(machine: Machine, key: Reference): Entry | null {
    if (this.#count === 0) return null;
    const hash = this.#hash(machine, key);
    const index = this.#index(hash);
    let previous: Node | null = null;
    for (let node = this.#table[index] ?? null; node !== null; node = node.next) {
      if (node.hash === hash && this.#equal(machine, key, node.key)) {
        if (previous === null) this.#table[index] = node.next;
        else previous.next = node.next;
        this.#drop(node);
        return node;
      }
      previous = node;
    }
    return null;
  }

  override clear(): void {
    this.modifications++;
    this.#table.fill(null);
    this.#count = 0;
    this.#first = null;
    this.#last = null;
  }

  /** A read through `get`: an access-ordered map moves the entry to its end. */
  override touch(entry: Entry): void {
    if (this.order !== 'accessed' || entry === this.#last) return;
    const node = entry as Node;
    this.#unlink(node);
    this.#link(node);
    this.modifications++;
  }

  /** The entry that stands first in the order. */
  eldest(): Entry | null {
    return this.#first;
  }

  override cursor(machine: Machine): EntryCursor {
    const nodes = this.#nodes();
    let index = 0;
    let last: Node | null = null;
    let expected = this.modifications;
    const check = (): void => {
      if (!this.isConcurrent && this.modifications !== expected) throw concurrentModification(machine);
    };
    return {
      hasNext: () => index < nodes.length,
      next: () => {
        check();
        last = nodes[index++] ?? null;
        if (last === null) throw noSuchElement(machine);
        return last;
      },
      remove: () => {
        if (last === null) throw illegalState(machine);
        check();
        this.#removeNode(last);
        last = null;
        expected = this.modifications;
      },
    };
  }

  override entries(): Entry[] {
    return this.#nodes();
  }

  #nodes(): Node[] {
    const nodes: Node[] = [];
    if (this.order === 'inserted' || this.order === 'accessed') {
      for (let node = this.#first; node !== null; node = node.after) nodes.push(node);
    } else if (this.order === 'hashtable') {
      for (let index = this.#table.length - 1; index >= 0; index--) {
        for (let node = this.#table[index] ?? null; node !== null; node = node.next) nodes.push(node);
      }
    } else if (this.#count > 0) {
      for (const bucket of this.#table) for (let node = bucket; node !== null; node = node.next) nodes.push(node);
    }
    return nodes;
  }

  #hash(machine: Machine, key: Reference): number {
    if (key === null) return 0;
    if (this.#isByIdentity) return identityHash(machine, key);
    const hash = key instanceof JavaString ? stringHash(key.text) : machine.hashCode(key);
    return this.order === 'hashtable' ? hash : hash ^ (hash >>> 16);
  }

  #index(hash: number): number {
    return this.order === 'hashtable' ? (hash & 0x7fffffff) % this.#table.length : hash & (this.#table.length - 1);
  }

  #equal(machine: Machine, a: Reference, b: Reference): boolean {
    if (a === b) return true;
    if (this.#isByIdentity || a === null || b === null) return false;
    if (a instanceof JavaString) return b instanceof JavaString && a.text === b.text;
    return machine.equals(a, b);
  }

  #putFirst(node: Node): void {
    if (this.#count >= Math.floor(this.#capacity * this.#loadFactor)) {
      const nodes = this.#nodes();
      this.#capacity = Math.min(MAXIMUM_CAPACITY, this.#capacity * 2 + 1);
      this.#table = new Array<Node | null>(this.#capacity).fill(null);
      for (const moved of nodes) {
        const place = this.#index(moved.hash);
        moved.next = this.#table[place] ?? null;
        this.#table[place] = moved;
      }
    }
    const place = this.#index(node.hash);
    node.next = this.#table[place] ?? null;
    this.#table[place] = node;
    this.#count++;
  }

  /** Doubles the table; the order within each bucket is kept, as in Java's `resize`. */
  #grow(): void {
    const old = this.#table;
    this.#capacity *= 2;
    this.#table = new Array<Node | null>(this.#capacity).fill(null);
    const tails = new Array<Node | null>(this.#capacity).fill(null);
    for (const bucket of old) {
      let node = bucket;
      while (node !== null) {
        const next: Node | null = node.next;
        const index = this.#index(node.hash);
        node.next = null;
        const tail = tails[index] ?? null;
        if (tail === null) this.#table[index] = node;
        else tail.next = node;
        tails[index] = node;
        node = next;
      }
    }
  }

  #removeNode(node: Node): void {
    if (node.isGone) return;
    const index = this.#index(node.hash);
    let previous: Node | null = null;
    for (let here = this.#table[index] ?? null; here !== null; here = here.next) {
      if (here === node) {
        if (previous === null) this.#table[index] = node.next;
        else previous.next = node.next;
        this.#drop(node);
        return;
      }
      previous = here;
    }
  }

  #drop(node: Node): void {
    node.isGone = true;
    this.#count--;
    this.modifications++;
    this.#unlink(node);
  }

  #link(node: Node): void {
    if (this.order !== 'inserted' && this.order !== 'accessed') return;
    node.before = this.#last;
    node.after = null;
    if (this.#last === null) this.#first = node;
    else this.#last.after = node;
    this.#last = node;
  }

  #unlink(node: Node): void {
    if (this.order !== 'inserted' && this.order !== 'accessed') return;
    if (node.before === null) this.#first = node.after;
    else node.before.after = node.after;
    if (node.after === null) this.#last = node.before;
    else node.after.before = node.before;
  }
}

function tableSizeFor(capacity: number): number {
  let size = 1;
  while (size < capacity && size < MAXIMUM_CAPACITY) size *= 2;
  return size;
}
