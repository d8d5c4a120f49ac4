// Model of IntentFilter, as apps make them at run time.
import { made } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethods } from '../../machine/model.ts';
import { nothing, plain, type Reference, stateOf } from '../model-parts.ts';

export interface FilterState {
  actions: string[];
  categories: string[];
  data: Record<string, string>[];
  priority: number;
}

export const filterOf = (filter: HeapObject): FilterState =>
  stateOf<FilterState>(filter, () => ({ actions: [], categories: [], data: [], priority: 0 }));

const filterMethods: NativeMethods = {
  '<init>()V': nothing,
  '<init>(Ljava/lang/String;)V': (machine, me, action: Reference) => filterOf(me).actions.push(plain(machine, action)),
  '<init>(Ljava/lang/String;Ljava/lang/String;)V': (machine, me, action: Reference, type: Reference) => {
    filterOf(me).actions.push(plain(machine, action));
    filterOf(me).data.push({ mimeType: plain(machine, type) });
  },
  '<init>(!Landroid/content/IntentFilter;)V': made((_machine, other: HeapObject) => structuredClone(filterOf(other))),
  'addAction(Ljava/lang/String;)V': (machine, me, action: Reference) =>
    filterOf(me).actions.push(plain(machine, action)),
  'addCategory(Ljava/lang/String;)V': (machine, me, category: Reference) =>
    filterOf(me).categories.push(plain(machine, category)),
  'addDataScheme(Ljava/lang/String;)V': (machine, me, scheme: Reference) =>
    filterOf(me).data.push({ scheme: plain(machine, scheme) }),
  'addDataType(Ljava/lang/String;)V': (machine, me, type: Reference) =>
    filterOf(me).data.push({ mimeType: plain(machine, type) }),
  'addDataAuthority(Ljava/lang/String;Ljava/lang/String;)V': (machine, me, host: Reference, port: Reference) =>
    filterOf(me).data.push({ host: plain(machine, host), ...(port === null ? {} : { port: plain(machine, port) }) }),
  'addDataPath(Ljava/lang/String;I)V': (machine, me, path: Reference, kind: number) => {
    const name = ['path', 'pathPrefix', 'pathPattern'][kind] ?? 'path';
    filterOf(me).data.push({ [name]: plain(machine, path) });
  },
  'setPriority(I)V': (_machine, me, priority: number) => {
    filterOf(me).priority = priority;
  },
  'getPriority()I': (_machine, me) => filterOf(me).priority,
  'countActions()I': (_machine, me) => filterOf(me).actions.length,
  'getAction(I)Ljava/lang/String;': (machine, me, index: number) => machine.string(filterOf(me).actions[index] ?? ''),
  'hasAction(Ljava/lang/String;)Z': (machine, me, action: Reference) =>
    filterOf(me).actions.includes(plain(machine, action)),
};

export const intentFilterModels: Models = {
  'Landroid/content/IntentFilter;': { implements: ['Landroid/os/Parcelable;'], methods: filterMethods },
};
