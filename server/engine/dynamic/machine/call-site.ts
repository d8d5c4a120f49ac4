// One invocation in the code: the method that it names, and the one that it resolved to. Knows no frames.
import type { Instruction } from '../../formats/dex/instruction.ts';
import type { LinkedClass, Method } from './linked-class.ts';

export type InvokeKind = 'virtual' | 'super' | 'direct' | 'static' | 'interface' | 'polymorphic' | 'custom';

export class CallSite {
  readonly kind: InvokeKind;
  readonly isInstance: boolean;
  /** Dispatches on the receiver's class. */
  readonly isVirtual: boolean;
  /** Indexes of the method, or the call site. */
  readonly index: number;
  /** The prototype of an `invoke-polymorphic`. */
  readonly prototype: number;
  /** `name(parameters)return` as the code has it. */
  readonly signature: string;
  readonly returns: string;
  /** Of each argument, the receiver included, its place among the invocation's registers. */
  readonly places: readonly number[];
  /** What the name resolved to; for a virtual call the method that declares it. */
  target: Method | null = null;
  /** Receiver of the last virtual call and the method that it ran. */
  cachedClass: LinkedClass | null = null;
  cachedTarget: Method | null = null;
  /** What `invoke-custom` linked to, or a second thought of the resolution. */
  linked: unknown = null;

  constructor(
    kind: InvokeKind,
    { index, secondIndex }: Instruction,
    signature: string,
    parameters: readonly string[],
    returns: string,
  ) {
    this.kind = kind;
    this.isInstance = kind !== 'static' && kind !== 'custom';
    this.isVirtual = kind === 'virtual' || kind === 'interface';
    this.index = index;
    this.prototype = secondIndex;
    this.signature = signature;
    this.returns = returns;
    let place = 0;
    this.places = parameters.map((type) => {
      const at = place;
      place += type === 'J' || type === 'D' ? 2 : 1;
      return at;
    });
  }
}

export function invokeKind(mnemonic: string): InvokeKind {
  const word = mnemonic.slice('invoke-'.length).split('/')[0];
  return word as InvokeKind;
}
