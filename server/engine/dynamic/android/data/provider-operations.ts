// Models of ContentProviderOperation: several changes of a provider in one go, as contacts are written. Knows no provider.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { each, type Reference, self, stateOf } from '../model-parts.ts';
import { cellOf } from './cursor.ts';

const S = 'Ljava/lang/String;';
const A = '[Ljava/lang/String;';
const O = 'Ljava/lang/Object;';
const U = 'Landroid/net/Uri;';
const V = 'Landroid/content/ContentValues;';
const operationType = 'Landroid/content/ContentProviderOperation;';
const builderType = 'Landroid/content/ContentProviderOperation$Builder;';
const resultType = 'Landroid/content/ContentProviderResult;';

interface Operation {
  kind: 'insert' | 'update' | 'delete' | 'assert';
  uri: Reference;
  values: Reference;
  where: Reference;
  args: Value;
}

const operationOf = (object: HeapObject): Operation =>
  stateOf<Operation>(object, () => ({ kind: 'assert', uri: null, values: null, where: null, args: null }));

const begin =
  (kind: Operation['kind']): NativeMethod =>
  (machine, uri: Reference) => {
    const builder = machine.allocate(builderType);
    Object.assign(operationOf(builder), { kind, uri });
    return builder;
  };

function put(machine: Machine, me: HeapObject, name: Reference, value: Reference): HeapObject {
  const operation = operationOf(me);
  operation.values ??= machine.construct(V, '<init>()V');
  // Values of all kinds are told as texts.
  const { value: plainValue, taint } = cellOf(machine, value);
  const text = plainValue === null ? null : machine.string(String(plainValue), taint);
  machine.call(operation.values, `put(${S}${S})V`, name, text);
  return me;
}

/** Does one change by the resolver, which tells of it. */
function apply(machine: Machine, resolver: HeapObject, operation: HeapObject): HeapObject {
  const { kind, uri, values, where, args } = operationOf(operation);
  if (kind === 'insert') machine.call(resolver, `insert(${U}${V})${U}`, uri, values);
  if (kind === 'update') machine.call(resolver, `update(${U}${V}${S}${A})I`, uri, values, where, args);
  if (kind === 'delete') machine.call(resolver, `delete(${U}${S}${A})I`, uri, where, args);
  return machine.allocate(resultType);
}

export const providerOperationModels: Models = {
  [operationType]: {
    staticMethods: {
      [`newInsert(${U})${builderType}`]: begin('insert'),
      [`newUpdate(${U})${builderType}`]: begin('update'),
      [`newDelete(${U})${builderType}`]: begin('delete'),
      [`newAssertQuery(${U})${builderType}`]: begin('assert'),
    },
  },
  [builderType]: {
    methods: {
      [`withValue(${S}${O})${builderType}`]: put,
      [`withValues(${V})${builderType}`]: (_machine, me, values: Reference) => {
        operationOf(me).values = values;
        return me;
      },
      [`withSelection(${S}${A})${builderType}`]: (_machine, me, where: Reference, args: Value) => {
        Object.assign(operationOf(me), { where, args });
        return me;
      },
      ...each(
        self,
        `withValueBackReference(${S}I)${builderType}`,
        `withExpectedCount(I)${builderType}`,
        `withYieldAllowed(Z)${builderType}`,
      ),
      [`build()${operationType}`]: (machine, me) => {
        const operation = machine.allocate(operationType);
        Object.assign(operationOf(operation), operationOf(me));
        return operation;
      },
    },
  },
  [resultType]: { fields: [`uri:${U}`, 'count:Ljava/lang/Integer;'] },
  'Landroid/content/ContentResolver;': {
    methods: {
      [`applyBatch(${S}!Ljava/util/ArrayList;)[${resultType}`]: (machine, me, _authority, list: HeapObject) => {
        const all = machine.call(list, `toArray()[${O}`) as JavaArray;
        const results = (all.elements as HeapObject[]).map((operation) => apply(machine, me, operation));
        return machine.objectArray(resultType, results);
      },
    },
  },
};
