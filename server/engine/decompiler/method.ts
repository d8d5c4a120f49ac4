// The statements of one method, from its code to what is printed. Knows no text.
import type { ClassRelations } from '../code/types/class-relations.ts';
import type { EncodedMethod } from '../formats/dex/class-data.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { blockTrees } from './expressions/block-trees.ts';
import { MethodValues } from './expressions/method-values.ts';
import type { BlockTree, Local, Statement } from './expressions/tree.ts';
import { nameCheckedParameters } from './kotlin/parameter-names.ts';
import { nameSaidParameters } from './kotlin/said-names.ts';
import { joinBuilders } from './language/builder-chains.ts';
import { nameCaptured } from './language/captures.ts';
import { foldCleanUp, joinNested } from './language/clean-up.ts';
import { foldEnumSwitches } from './language/enum-switches.ts';
import { nameElements } from './language/for-each.ts';
import { dropOuterChecks } from './language/outer-checks.ts';
import { foldReturned } from './language/returned-values.ts';
import { joinStringSwitches } from './language/string-switches.ts';
import { limits, type WorkLimit } from './limits.ts';
import { methodFlow } from './method-flow.ts';
import type { Program } from './printing/program.ts';
import { countReads, foldAdjacent } from './structure/adjacent.ts';
import { foldArrayLiterals } from './structure/array-literals.ts';
import { joinConditions } from './structure/conditions.ts';
import { declareLocals, redeclareLocals } from './structure/declarations.ts';
import { dispatched } from './structure/dispatch.ts';
import { returnAtOnce } from './structure/early-returns.ts';
import { leadPastTests } from './structure/foregone.ts';
import { type Node, nodesOf, passEmpty, reducibleGraph } from './structure/graph.ts';
import { leaveEarly } from './structure/guards.ts';
import { shortenHandlers } from './structure/handlers.ts';
import { withoutJumps, withoutUnreachable } from './structure/jumps.ts';
import { joinMonitors } from './structure/monitors.ts';
import { sayStarts } from './structure/starts.ts';
import { structured } from './structure/structure.ts';
import { joinTries, mergeCatches } from './structure/tries.ts';

const accStatic = 0x8;

export interface MethodSource {
  /** The receiver first, where there is one. */
  readonly parameters: readonly Local[];
  /** What is declared within. */
  readonly locals: readonly Local[];
  readonly statements: Statement[];
  readonly isDispatched: boolean;
  /** Makes another variable. */
  readonly temporary: (type: string) => Local;
}

/** What the methods of one file share. */
export interface SourcePlace {
  readonly program: Program;
  readonly work: WorkLimit;
}

/** @throws BadCode for what Android's verifier refuses, Unsayable past the limits */
export function methodSource(place: SourcePlace, dex: Dex, owner: string, method: EncodedMethod): MethodSource {
  const { program, work } = place;
  const { methodIndex, accessFlags } = method;
  work.spend(limits.methodSteps);
  const { flow, parameters, returns, steps } = methodFlow(dex, owner, method);
  work.spend(steps);
  const values = new MethodValues({
    dex,
    flow,
    relations: program.relations,
    owner,
    parameters,
    isStatic: (accessFlags & accStatic) !== 0,
    isConstructor: dex.methodName(methodIndex) === '<init>',
    method: dex.method(methodIndex),
    fixedArguments: (type) => program.local.fixedArguments(type),
    accessors: program.accessors,
    startsNothing: (type) => program.startsNothing(type, owner),
  });
  const trees = blockTrees(values);
  const source = finished(place, values, trees, returns);
  // Initialisers have no `return`.
  const isVoid = returns === 'V' && !dex.methodName(methodIndex).startsWith('<');
  if (!source.isDispatched) leaveEarly(source.statements, isVoid);
  const known = program.classOf(owner);
  const isStatic = (accessFlags & accStatic) !== 0;
  if (known?.dex === dex) nameSaidParameters(known, methodIndex, source.parameters.slice(isStatic ? 0 : 1));
  return source;
}

function finished(
  { program, work }: SourcePlace,
  values: MethodValues,
  trees: readonly BlockTree[],
  returns: string,
): MethodSource {
  const catches = values.flow.blocks.map(({ handlers }) =>
    handlers.map(({ type, block }) => ({ type, local: values.caught(block), handler: block })),
  );
  const hasHandlers = catches.some(({ length }) => length > 0);
  const nested = nestedStatements(trees, catches, returns, program.relations);
  let statements = nested.isDispatched ? dispatched(nested.nodes, values.variable('I')) : nested.statements;
  if (!nested.isDispatched) {
    joinMonitors(statements);
    foldArrayLiterals(statements);
    joinBuilders(statements, (type) => values.temporary(type));
    foldAdjacent(statements);
    statements = withoutJumps(statements);
  }
  statements = withoutUnreachable(statements);
  const temporary = (type: string) => values.temporary(type);
  if (hasHandlers) {
    const reads = countReads(statements);
    mergeCatches(statements, program.relations, (local) => reads.has(local));
  }
  foldEnumSwitches(statements, program.enumMaps);
  dropOuterChecks(statements, (type) => program.inner.of(type) !== null);
  nameElements(statements, temporary);
  nameCheckedParameters(statements, values.parameters);
  if (values.starts.size > 0) sayStarts(statements, new Set(values.starts.values()), temporary);
  let locals = declareLocals(statements, temporary);
  const capturing = {
    fixed: (type: string) => program.local.fixedArguments(type),
    isNameless: program.local.isNameless(values.owner, values.owner),
    needsName: (type: string) =>
      program.local.of(type)?.kind === 'anonymous' && program.local.needsAround(type, values.owner),
  };
  locals.push(...nameCaptured(statements, { ...capturing, temporary }));
  if (hasHandlers) {
    // One recognised in another may be seen once its variables are declared further in.
    while (foldCleanUp(statements, program.relations)) {
      work.spend(values.flow.body.code.units.length);
      foldAdjacent(statements);
      nameElements(statements, temporary);
      locals = redeclareLocals(statements);
    }
    if (foldReturned(statements, returns)) locals = redeclareLocals(statements);
    joinNested(statements);
  }
  return { parameters: values.parameters, locals, statements, isDispatched: nested.isDispatched, temporary };
}

type Nested =
  | { readonly isDispatched: false; readonly statements: Statement[] }
  | { readonly isDispatched: true; readonly nodes: Node[] };

/** The blocks' statements in each other, as Java nests them; the blocks alone where they cannot be. */
function nestedStatements(
  trees: readonly BlockTree[],
  catches: Parameters<typeof nodesOf>[1],
  returns: string,
  relations: ClassRelations,
): Nested {
  const [first] = trees;
  if (trees.length === 1 && first!.ending.kind === 'leave')
    return { isDispatched: false, statements: [...first!.statements] };
  const nodes = nodesOf(trees, catches);
  passEmpty(nodes);
  joinStringSwitches(nodes);
  leadPastTests(nodes);
  passEmpty(nodes);
  joinConditions(nodes, returns);
  returnAtOnce(nodes, returns);
  shortenHandlers(nodes);
  const graph = reducibleGraph(nodes);
  const nested = graph === null ? null : structured(graph);
  if (nested === null) return { isDispatched: true, nodes };
  return { isDispatched: false, statements: joinTries(nested, relations) };
}
