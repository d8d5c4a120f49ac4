// The trees that a method's source is printed from: expressions and statements. Knows no registers and no notation.
import type { GenericType } from '../../code/types/generic-signatures.ts';

/** A variable of the source. */
export interface Local {
  readonly id: number;
  /** Descriptor. */
  type: string;
  /** From debug information; null where there is none. */
  hint: string | null;
  /** A name after what it holds, for where there is no hint; null for none. */
  suggested?: string | null;
  /** What it is declared as, where that says more than the descriptor. Set by the printer. */
  generic?: GenericType;
  /** What debug information says of its type beyond the descriptor: a signature. */
  readonly said?: string;
  readonly role: 'this' | 'parameter' | 'local';
  /** By which it is told from the method's others: `p0` for a parameter, `v3@1f` by register and first writer, `t0` for one that the code has not. */
  readonly key?: string;
  /** The method that it is in, by its descriptor: the body of a lambda stands within another one. */
  readonly method?: string;
  /** It is written once: whoever reads it reads the same. */
  isConstant: boolean;
  /** Set by the printer. */
  name: string;
  /** Classes that source writes within the method, which name it. */
  captors?: Set<string>;
}

/** What evaluating an expression may do, as bits: two that conflict must keep their order. */
export const effect = { reads: 1, throws: 2, acts: 4 } as const;

export type Expression = { readonly at: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'wide'; readonly value: bigint }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'class'; readonly type: string }
  | { readonly kind: 'local'; readonly local: Local }
  | { readonly kind: 'negation'; readonly operator: '-' | '~'; readonly type: string; readonly operand: Expression }
  | {
      readonly kind: 'arithmetic';
      readonly operator: string;
      readonly type: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** -1, 0 or 1; `unordered` is the answer for NaN. */
  | {
      readonly kind: 'comparison';
      readonly type: string;
      readonly unordered: number;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'conversion'; readonly from: string; readonly to: string; readonly operand: Expression }
  /**
   * `isMeant`: Java has to take the value for one of this type, or the generic one, also where it knows more of it. `isKnown`: Java
   * knows it for one by itself.
   */
  | {
      readonly kind: 'cast';
      readonly type: string;
      readonly operand: Expression;
      readonly isMeant?: true;
      readonly generic?: GenericType;
      readonly isKnown?: true;
    }
  | { readonly kind: 'instanceof'; readonly type: string; readonly operand: Expression }
  | {
      readonly kind: 'field';
      readonly owner: string;
      readonly name: string;
      readonly type: string;
      readonly object: Expression | null;
      /** A static one of the class that the method is in: reading it starts no other class. */
      readonly isOwn: boolean;
    }
  /** `family` is the type of the elements as far as the instruction says: `I` for int or float, `J` for long or double. */
  | { readonly kind: 'element'; readonly family: string; readonly array: Expression; readonly index: Expression }
  | { readonly kind: 'length'; readonly array: Expression }
  | { readonly kind: 'new-array'; readonly type: string; readonly size: Expression }
  | { readonly kind: 'array'; readonly type: string; readonly items: readonly Expression[] }
  | Call
  /** Starts a class, as making an object of it does before anything is worked out for its constructor. */
  | { readonly kind: 'start'; readonly type: string }
  | LinkedLambda
  | Condition
  | {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
      readonly type: string;
    }
);

/** An object of an interface whose one method calls another one, with what it has captured first. */
export interface LinkedLambda {
  readonly at: number;
  readonly kind: 'lambda';
  readonly type: string;
  /** Interfaces besides. */
  readonly markers: readonly string[];
  /** Of the interface's method. */
  readonly name: string;
  /** What the interface's method takes and gives, and what callers make of that. */
  readonly asked: Shape;
  readonly instantiated: Shape;
  readonly target: Shape & Pick<Call, 'how' | 'owner' | 'name'>;
  readonly captured: readonly Expression[];
}

interface Shape {
  readonly parameters: readonly string[];
  readonly returns: string;
}

export interface Call {
  readonly at: number;
  readonly kind: 'call';
  readonly how: 'virtual' | 'super' | 'direct' | 'static' | 'interface' | 'new' | 'constructor';
  readonly owner: string;
  readonly name: string;
  readonly parameters: readonly string[];
  /** For `new` the class. */
  readonly returns: string;
  readonly object: Expression | null;
  /** For `new`, where the class's start can be seen: that, or the variable that stands for it where the code starts it before. */
  readonly start?: Expression;
  readonly values: readonly Expression[];
  /** Java knows the type arguments of what is made from its place. */
  readonly isDiamond?: true;
}

export type Condition = { readonly at: number } /** `type` is what both sides are compared as. */ & (
  | {
      readonly kind: 'relation';
      readonly operator: Relation;
      readonly type: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'junction'; readonly operator: '&&' | '||'; readonly left: Expression; readonly right: Expression }
  /** A boolean value. */
  | { readonly kind: 'truth'; readonly operand: Expression }
);

export type Relation = '==' | '!=' | '<' | '>=' | '>' | '<=';

/** How a block ends, where no return or throw does. */
export type Ending =
  | { readonly kind: 'leave' }
  | { readonly kind: 'goto'; readonly to: Label }
  | { readonly kind: 'branch'; readonly condition: Expression; readonly yes: Label; readonly no: Label }
  | {
      readonly kind: 'switch';
      readonly value: Expression;
      /** Numbers, or strings where the `switch` is over one. */
      readonly targets: readonly { readonly key: number | string; readonly to: Label }[];
      readonly otherwise: Label;
    };

/** The statements of a basic block, and where it goes on. */
export interface BlockTree {
  readonly statements: readonly Statement[];
  readonly ending: Ending;
}

/** A node of the control-flow graph, as what jumps name. */
export type Label = number;

export interface Resource {
  readonly opened: Statement & { kind: 'set' };
  readonly close: Call;
}

export interface Catch {
  /** Null for every type. */
  readonly type: string | null;
  /** More types that it takes: none of them all is above another. */
  readonly besides?: readonly string[];
  /** What the exception is written to. */
  readonly local: Local | null;
  readonly handler: Label;
  body: Statement[];
}

export type Statement =
  | { readonly kind: 'do'; expression: Expression }
  | { readonly kind: 'set'; readonly local: Local; value: Expression; isDeclaration: boolean }
  | { readonly kind: 'store'; readonly target: Expression; value: Expression; readonly at: number }
  | { readonly kind: 'declare'; readonly local: Local }
  | { readonly kind: 'return'; value: Expression | null; readonly at: number }
  | { readonly kind: 'throw'; value: Expression; readonly at: number }
  | { readonly kind: 'if'; condition: Expression; yes: Statement[]; no: Statement[] }
  | {
      readonly kind: 'loop';
      readonly label: Label;
      body: Statement[];
      /** A `for` ends each turn with the last statement of its body, also where the turn is cut short. */
      form: 'forever' | 'while' | 'do' | 'for';
      condition: Expression | null;
    }
  | { readonly kind: 'block'; readonly label: Label; body: Statement[] }
  | {
      readonly kind: 'switch';
      readonly value: Expression;
      readonly cases: Case[];
      readonly label: Label;
      /** The enum whose constants the cases name. */
      readonly over?: string;
    }
  | {
      readonly kind: 'try';
      /** What is opened before the body, in order, and closed after it. */
      resources?: readonly Resource[];
      body: Statement[];
      catches: Catch[];
      /** `finally`. */
      last?: Statement[];
    }
  | { readonly kind: 'synchronized'; readonly lock: Expression; body: Statement[] }
  | { readonly kind: 'monitor'; readonly isEnter: boolean; readonly lock: Expression }
  | { kind: 'jump'; readonly way: 'break' | 'continue'; readonly label: Label }
  | { readonly kind: 'comment'; readonly text: string };

export interface Case {
  /** Numbers; strings where the `switch` is over one, names of fields where it is over an enum. */
  readonly keys: readonly (number | string)[];
  readonly isDefault: boolean;
  body: Statement[];
}
