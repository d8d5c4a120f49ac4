// Models of Intent, IntentFilter, ComponentName. Knows no component's life and no delivery.
import type { HeapObject, Taint, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { appOf } from './app.ts';
import { type BundleState, boxed, bundleOf, bundleTaint, newBundle, primitives, references } from './bundle.ts';
import type { IntentShape } from './intent-resolution.ts';
import {
  asString,
  classNameOf,
  each,
  flag,
  giveBack,
  keep,
  nothing,
  plain,
  type Reference,
  self,
  setOf,
  stateOf,
} from './model-parts.ts';
import { newUri, uriText } from './uri.ts';

export interface IntentState {
  action: Reference;
  data: Reference;
  type: Reference;
  categories: Map<string, Reference>;
  component: ComponentState | null;
  package: Reference;
  flags: number;
  extras: BundleState;
  clip: Reference;
  selector: Reference;
  /** Class loader, source bounds and the like are not kept. */
  identifier: Reference;
}

export interface ComponentState {
  readonly packageName: string;
  readonly className: string;
  readonly taint: Taint;
}

const blank = (): IntentState => ({
  action: null,
  data: null,
  type: null,
  categories: new Map(),
  component: null,
  package: null,
  flags: 0,
  extras: new Map(),
  clip: null,
  selector: null,
  identifier: null,
});

export const intentOf = (intent: HeapObject): IntentState => stateOf<IntentState>(intent, blank);

export function newIntent(machine: Machine, parts: Partial<IntentState> = {}): HeapObject {
  const intent = machine.allocate('Landroid/content/Intent;');
  intent.native = { ...blank(), ...parts };
  return intent;
}

export const copyOf = (state: IntentState): IntentState => ({
  ...state,
  categories: new Map(state.categories),
  extras: new Map(state.extras),
});

export function shapeOf(machine: Machine, state: IntentState): IntentShape {
  return {
    action: state.action === null ? null : plain(machine, state.action),
    data: state.data === null ? null : uriText(state.data),
    type: state.type === null ? null : plain(machine, state.type),
    categories: [...state.categories.keys()],
    className: state.component?.className ?? null,
    packageName: state.component?.packageName ?? (state.package === null ? null : plain(machine, state.package)),
  };
}

/** What everything in an intent carries. */
export function intentTaint(machine: Machine, state: IntentState): Taint {
  let taint = bundleTaint(machine, state.extras);
  for (const value of [
    state.action,
    state.data,
    state.type,
    state.clip,
    state.identifier,
    ...state.categories.values(),
  ]) {
    if (value !== null) taint = machine.union(taint, machine.union(value.taint, machine.deepTaint(value)));
  }
  return machine.union(taint, state.component?.taint ?? 0);
}

/** A few words for the time line. */
export function intentSummary(machine: Machine, state: IntentState): string {
  const { action, data, className } = shapeOf(machine, state);
  return [className ?? action ?? '', data].filter((part) => part !== null && part !== '').join(' ');
}

const contextPackage = (machine: Machine): string => appOf(machine).packageName;

export function newComponentName(machine: Machine, state: ComponentState): HeapObject {
  const name = machine.allocate('Landroid/content/ComponentName;');
  name.native = state;
  return name;
}

const componentFrom = (
  machine: Machine,
  packageName: Reference | string,
  className: Reference | string,
): ComponentState => ({
  packageName: typeof packageName === 'string' ? packageName : plain(machine, packageName),
  className: fullName(
    typeof packageName === 'string' ? packageName : plain(machine, packageName),
    typeof className === 'string' ? className : plain(machine, className),
  ),
  taint: typeof className === 'string' || className === null ? 0 : className.taint,
});

const fullName = (packageName: string, name: string): string => (name.startsWith('.') ? packageName + name : name);

const set =
  (apply: (state: IntentState, ...values: Reference[]) => void): NativeMethod =>
  (_machine, me: HeapObject, ...values: Reference[]) => {
    apply(intentOf(me), ...values);
    return me;
  };

function extraMethods(): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  const put =
    (kind: string): NativeMethod =>
    (machine, me: HeapObject, key: Reference, value: Value) => {
      intentOf(me).extras.set(plain(machine, key), keep(machine, kind, value, 2));
      return me;
    };
  for (const [name, type] of primitives) {
    methods[`putExtra(Ljava/lang/String;${type})Landroid/content/Intent;`] = put(type);
    methods[`get${name}Extra(Ljava/lang/String;${type})${type}`] = (
      machine,
      me: HeapObject,
      key: Reference,
      otherwise: Value,
    ) => giveBack(machine, intentOf(me).extras.get(plain(machine, key)), type, otherwise);
  }
  for (const [name, type] of references) {
    const isList = type === 'Ljava/util/ArrayList;';
    methods[
      isList
        ? `put${name}Extra(Ljava/lang/String;${type})Landroid/content/Intent;`
        : `putExtra(Ljava/lang/String;${type})Landroid/content/Intent;`
    ] = put('L');
    methods[`get${name}Extra(Ljava/lang/String;)${type}`] = (machine, me: HeapObject, key: Reference) => {
      const found = giveBack(machine, intentOf(me).extras.get(plain(machine, key)), 'L', null) as Reference;
      return found !== null &&
        (type.startsWith('[') || type === 'Landroid/os/Parcelable;' || machine.isInstance(found, type))
        ? found
        : null;
    };
  }
  const typed: NativeMethod = (machine, me: HeapObject, key: Reference) =>
    giveBack(machine, intentOf(me).extras.get(plain(machine, key)), 'L', null);
  methods['getParcelableExtra(Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;'] = typed;
  methods['getSerializableExtra(Ljava/lang/String;Ljava/lang/Class;)Ljava/io/Serializable;'] = typed;
  return methods;
}

const intentType = 'Landroid/content/Intent;';

const intentMethods: NativeMethods = {
  '<init>()V': (_machine, me: HeapObject) => {
    me.native = blank();
  },
  '<init>(Landroid/content/Intent;)V': (_machine, me: HeapObject, other: HeapObject) => {
    me.native = copyOf(intentOf(other));
  },
  '<init>(Ljava/lang/String;)V': (_machine, me: HeapObject, action: Reference) => {
    me.native = { ...blank(), action };
  },
  '<init>(Ljava/lang/String;Landroid/net/Uri;)V': (_machine, me: HeapObject, action: Reference, data: Reference) => {
    me.native = { ...blank(), action, data };
  },
  '<init>(Landroid/content/Context;Ljava/lang/Class;)V': (
    machine,
    me: HeapObject,
    _context: Reference,
    cls: HeapObject,
  ) => {
    me.native = { ...blank(), component: componentFrom(machine, contextPackage(machine), classNameOf(machine, cls)) };
  },
  '<init>(Ljava/lang/String;Landroid/net/Uri;Landroid/content/Context;Ljava/lang/Class;)V': (
    machine,
    me: HeapObject,
    action: Reference,
    data: Reference,
    _context: Reference,
    cls: HeapObject,
  ) => {
    const component = componentFrom(machine, contextPackage(machine), classNameOf(machine, cls));
    me.native = { ...blank(), action, data, component };
  },
  [`setAction(Ljava/lang/String;)${intentType}`]: set((state, action) => {
    state.action = action!;
  }),
  'getAction()Ljava/lang/String;': (_machine, me: HeapObject) => intentOf(me).action,
  ...each(
    set((state, data) => {
      state.data = data!;
      state.type = null;
    }),
    `setData(Landroid/net/Uri;)${intentType}`,
    `setDataAndNormalize(Landroid/net/Uri;)${intentType}`,
  ),
  ...each(
    set((state, type) => {
      state.type = type!;
      state.data = null;
    }),
    `setType(Ljava/lang/String;)${intentType}`,
    `setTypeAndNormalize(Ljava/lang/String;)${intentType}`,
  ),
  ...each(
    set((state, data, type) => {
      state.data = data!;
      state.type = type!;
    }),
    `setDataAndType(Landroid/net/Uri;Ljava/lang/String;)${intentType}`,
    `setDataAndTypeAndNormalize(Landroid/net/Uri;Ljava/lang/String;)${intentType}`,
  ),
  'getData()Landroid/net/Uri;': (_machine, me: HeapObject) => intentOf(me).data,
  'getDataString()Ljava/lang/String;': (machine, me: HeapObject) => {
    const { data } = intentOf(me);
    return data === null ? null : machine.string(uriText(data), data.taint);
  },
  'getScheme()Ljava/lang/String;': (machine, me: HeapObject) => {
    const { data } = intentOf(me);
    return data === null ? null : machine.call(data, 'getScheme()Ljava/lang/String;');
  },
  'getType()Ljava/lang/String;': (_machine, me: HeapObject) => intentOf(me).type,
  'resolveType(Landroid/content/ContentResolver;)Ljava/lang/String;': (_machine, me: HeapObject) => intentOf(me).type,
  [`addCategory(Ljava/lang/String;)${intentType}`]: (machine, me: HeapObject, category: Reference) => {
    intentOf(me).categories.set(plain(machine, category), category);
    return me;
  },
  'removeCategory(Ljava/lang/String;)V': (machine, me: HeapObject, category: Reference) => {
    intentOf(me).categories.delete(plain(machine, category));
  },
  'hasCategory(Ljava/lang/String;)Z': (machine, me: HeapObject, category: Reference) =>
    flag(intentOf(me).categories.has(plain(machine, category))),
  'getCategories()Ljava/util/Set;': (machine, me: HeapObject) => {
    const { categories } = intentOf(me);
    return categories.size === 0 ? null : setOf(machine, [...categories.values()]);
  },
  [`setFlags(I)${intentType}`]: (_machine, me: HeapObject, flags: number) => {
    intentOf(me).flags = flags;
    return me;
  },
  [`addFlags(I)${intentType}`]: (_machine, me: HeapObject, flags: number) => {
    intentOf(me).flags |= flags;
    return me;
  },
  'getFlags()I': (_machine, me: HeapObject) => intentOf(me).flags,
  [`setPackage(Ljava/lang/String;)${intentType}`]: set((state, name) => {
    state.package = name!;
  }),
  'getPackage()Ljava/lang/String;': (_machine, me: HeapObject) => intentOf(me).package,
  [`setIdentifier(Ljava/lang/String;)${intentType}`]: set((state, name) => {
    state.identifier = name!;
  }),
  'getIdentifier()Ljava/lang/String;': (_machine, me: HeapObject) => intentOf(me).identifier,
  [`setClass(Landroid/content/Context;Ljava/lang/Class;)${intentType}`]: (
    machine,
    me: HeapObject,
    _context: Reference,
    cls: HeapObject,
  ) => {
    intentOf(me).component = componentFrom(machine, contextPackage(machine), classNameOf(machine, cls));
    return me;
  },
  [`setClassName(Landroid/content/Context;Ljava/lang/String;)${intentType}`]: (
    machine,
    me: HeapObject,
    _context: Reference,
    name: Reference,
  ) => {
    intentOf(me).component = componentFrom(machine, contextPackage(machine), name);
    return me;
  },
  [`setClassName(Ljava/lang/String;Ljava/lang/String;)${intentType}`]: (
    machine,
    me: HeapObject,
    packageName: Reference,
    name: Reference,
  ) => {
    intentOf(me).component = componentFrom(machine, packageName, name);
    return me;
  },
  [`setComponent(Landroid/content/ComponentName;)${intentType}`]: (_machine, me: HeapObject, name: Reference) => {
    intentOf(me).component = name === null ? null : (name.native as ComponentState);
    return me;
  },
  'getComponent()Landroid/content/ComponentName;': (machine, me: HeapObject) => {
    const { component } = intentOf(me);
    return component === null ? null : newComponentName(machine, component);
  },
  [`setSelector(${intentType})V`]: (_machine, me: HeapObject, selector: Reference) => {
    intentOf(me).selector = selector;
  },
  'setClipData(Landroid/content/ClipData;)V': (_machine, me: HeapObject, clip: Reference) => {
    intentOf(me).clip = clip;
  },
  'getClipData()Landroid/content/ClipData;': (_machine, me: HeapObject) => intentOf(me).clip,
  ...each(nothing, 'setExtrasClassLoader(Ljava/lang/ClassLoader;)V', 'setSourceBounds(Landroid/graphics/Rect;)V'),
  'getExtras()Landroid/os/Bundle;': (machine, me: HeapObject) => {
    const { extras } = intentOf(me);
    return extras.size === 0 ? null : newBundle(machine, new Map(extras));
  },
  'hasExtra(Ljava/lang/String;)Z': (machine, me: HeapObject, key: Reference) =>
    flag(intentOf(me).extras.has(plain(machine, key))),
  'removeExtra(Ljava/lang/String;)V': (machine, me: HeapObject, key: Reference) => {
    intentOf(me).extras.delete(plain(machine, key));
  },
  [`putExtras(Landroid/os/Bundle;)${intentType}`]: (_machine, me: HeapObject, bundle: HeapObject) => {
    for (const [key, kept] of bundleOf(bundle)) intentOf(me).extras.set(key, kept);
    return me;
  },
  [`putExtras(${intentType})${intentType}`]: (_machine, me: HeapObject, other: HeapObject) => {
    for (const [key, kept] of intentOf(other).extras) intentOf(me).extras.set(key, kept);
    return me;
  },
  [`replaceExtras(Landroid/os/Bundle;)${intentType}`]: (_machine, me: HeapObject, bundle: Reference) => {
    intentOf(me).extras = new Map(bundle === null ? [] : bundleOf(bundle));
    return me;
  },
  [`cloneFilter()${intentType}`]: (machine, me: HeapObject) =>
    newIntent(machine, { ...copyOf(intentOf(me)), extras: new Map() }),
  'clone()Ljava/lang/Object;': (machine, me: HeapObject) => newIntent(machine, copyOf(intentOf(me))),
  'filterEquals(Landroid/content/Intent;)Z': (machine, me: HeapObject, other: HeapObject) =>
    flag(JSON.stringify(shapeOf(machine, intentOf(me))) === JSON.stringify(shapeOf(machine, intentOf(other)))),
  'fillIn(Landroid/content/Intent;I)I': (_machine, me: HeapObject, other: HeapObject) => {
    fillIn(intentOf(me), intentOf(other));
    return 0;
  },
  'resolveActivity(Landroid/content/pm/PackageManager;)Landroid/content/ComponentName;': (machine, me: HeapObject) => {
    const { component } = intentOf(me);
    const found = component ?? {
      packageName: 'android',
      className: 'com.android.internal.app.ResolverActivity',
      taint: 0,
    };
    return newComponentName(machine, found);
  },
  ...each(
    (machine, me: HeapObject) => {
      const state = intentOf(me);
      return machine.string(intentUri(machine, state), intentTaint(machine, state));
    },
    'toUri(I)Ljava/lang/String;',
    'toURI()Ljava/lang/String;',
  ),
  'toString()Ljava/lang/String;': (machine, me: HeapObject) => {
    const state = intentOf(me);
    const { action, data, type, className } = shapeOf(machine, state);
    const parts = [
      action === null ? '' : `act=${action}`,
      data === null ? '' : `dat=${data}`,
      type === null ? '' : `typ=${type}`,
      className === null ? '' : `cmp=${state.component!.packageName}/${className}`,
      state.extras.size === 0 ? '' : '(has extras)',
    ];
    const taint = [state.action, state.data, state.type].reduce<Taint>(
      (all, each) => machine.union(all, each?.taint ?? 0),
      0,
    );
    return machine.string(`Intent { ${parts.filter((part) => part !== '').join(' ')} }`, taint);
  },
  ...extraMethods(),
};

/** What is set in `other` and not in `state`, and all its extras. */
export function fillIn(state: IntentState, other: IntentState): void {
  state.action ??= other.action;
  state.data ??= other.data;
  state.type ??= other.type;
  state.package ??= other.package;
  state.component ??= other.component;
  for (const [key, kept] of other.extras) state.extras.set(key, kept);
}

const uriTypes: Readonly<Record<string, string>> = {
  Z: 'B',
  B: 'b',
  C: 'c',
  D: 'd',
  F: 'f',
  I: 'i',
  J: 'l',
  S: 's',
  L: 'S',
};

function intentUri(machine: Machine, state: IntentState): string {
  const { action, data, type, categories, className, packageName } = shapeOf(machine, state);
  const encode = (value: string) => encodeURIComponent(value);
  const fields = [
    action === null ? '' : `action=${encode(action)};`,
    ...categories.map((category) => `category=${encode(category)};`),
    type === null ? '' : `type=${encode(type)};`,
    state.flags === 0 ? '' : `launchFlags=0x${(state.flags >>> 0).toString(16)};`,
    state.package === null || packageName === null ? '' : `package=${encode(packageName)};`,
    className === null ? '' : `component=${encode(`${state.component!.packageName}/${className}`)};`,
    ...[...state.extras].flatMap(([key, kept]) => {
      const letter = uriTypes[kept.kind];
      const value = machine.toText(boxed(machine, kept)).text;
      const isText = kept.kind !== 'L' || (kept.value as Reference)?.cls.descriptor === 'Ljava/lang/String;';
      return letter !== undefined && isText ? [`${letter}.${encode(key)}=${encode(value)};`] : [];
    }),
  ];
  return `${data ?? ''}#Intent;${fields.join('')}end`;
}

const parseUri: NativeMethod = (machine, uri: Reference) => {
  const whole = plain(machine, uri);
  const taint = uri?.taint ?? 0;
  const at = whole.indexOf('#Intent;');
  const state = blank();
  const data = (at < 0 ? whole : whole.slice(0, at)).replace(/^intent:/, '');
  if (data !== '') state.data = newUri(machine, data, taint);
  if (at < 0) state.action = machine.string('android.intent.action.VIEW');
  for (const field of (at < 0 ? '' : whole.slice(at + 8)).split(';')) {
    const equals = field.indexOf('=');
    if (equals < 0) continue;
    const name = field.slice(0, equals);
    let value: string;
    try {
      value = decodeURIComponent(field.slice(equals + 1));
    } catch {
      throw machine.exception('Ljava/net/URISyntaxException;', 'illegal escape');
    }
    const string = machine.string(value, taint);
    if (name === 'action') state.action = string;
    else if (name === 'category') state.categories.set(value, string);
    else if (name === 'type') state.type = string;
    else if (name === 'package') state.package = string;
    else if (name === 'launchFlags') state.flags = Number(value) | 0;
    else if (name === 'component') {
      const slash = value.indexOf('/');
      state.component = componentFrom(machine, value.slice(0, slash), value.slice(slash + 1));
    } else if (name[1] === '.') {
      const key = decodeURIComponent(name.slice(2));
      const kind = Object.entries(uriTypes).find(([, letter]) => letter === name[0])?.[0] ?? 'L';
      const number = kind === 'J' ? BigInt(value) : kind === 'Z' ? flag(value === 'true') : Number(value);
      state.extras.set(key, kind === 'L' ? { kind, value: string, taint: 0 } : { kind, value: number, taint });
    }
  }
  return newIntent(machine, state);
};

// Filters made at run time.

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
  '<init>(Ljava/lang/String;)V': (machine, me: HeapObject, action: Reference) => {
    filterOf(me).actions.push(plain(machine, action));
  },
  '<init>(Ljava/lang/String;Ljava/lang/String;)V': (machine, me: HeapObject, action: Reference, type: Reference) => {
    filterOf(me).actions.push(plain(machine, action));
    filterOf(me).data.push({ mimeType: plain(machine, type) });
  },
  '<init>(Landroid/content/IntentFilter;)V': (_machine, me: HeapObject, other: HeapObject) => {
    me.native = structuredClone(filterOf(other));
  },
  'addAction(Ljava/lang/String;)V': (machine, me: HeapObject, action: Reference) => {
    filterOf(me).actions.push(plain(machine, action));
  },
  'addCategory(Ljava/lang/String;)V': (machine, me: HeapObject, category: Reference) => {
    filterOf(me).categories.push(plain(machine, category));
  },
  'addDataScheme(Ljava/lang/String;)V': (machine, me: HeapObject, scheme: Reference) => {
    filterOf(me).data.push({ scheme: plain(machine, scheme) });
  },
  'addDataType(Ljava/lang/String;)V': (machine, me: HeapObject, type: Reference) => {
    filterOf(me).data.push({ mimeType: plain(machine, type) });
  },
  'addDataAuthority(Ljava/lang/String;Ljava/lang/String;)V': (
    machine,
    me: HeapObject,
    host: Reference,
    port: Reference,
  ) => {
    filterOf(me).data.push({ host: plain(machine, host), ...(port === null ? {} : { port: plain(machine, port) }) });
  },
  'addDataPath(Ljava/lang/String;I)V': (machine, me: HeapObject, path: Reference, kind: number) => {
    const name = ['path', 'pathPrefix', 'pathPattern'][kind] ?? 'path';
    filterOf(me).data.push({ [name]: plain(machine, path) });
  },
  'setPriority(I)V': (_machine, me: HeapObject, priority: number) => {
    filterOf(me).priority = priority;
  },
  'getPriority()I': (_machine, me: HeapObject) => filterOf(me).priority,
  'countActions()I': (_machine, me: HeapObject) => filterOf(me).actions.length,
  'getAction(I)Ljava/lang/String;': (machine, me: HeapObject, index: number) =>
    machine.string(filterOf(me).actions[index] ?? ''),
  'hasAction(Ljava/lang/String;)Z': (machine, me: HeapObject, action: Reference) =>
    flag(filterOf(me).actions.includes(plain(machine, action))),
};

const componentOf = (name: HeapObject): ComponentState => name.native as ComponentState;

export const intentModels: Models = {
  [intentType]: {
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Cloneable;'],
    methods: intentMethods,
    staticMethods: {
      'parseUri(Ljava/lang/String;I)Landroid/content/Intent;': parseUri,
      'getIntent(Ljava/lang/String;)Landroid/content/Intent;': parseUri,
      ...each(
        (machine, target: HeapObject, title: Reference) => {
          const intent = newIntent(machine, copyOf(intentOf(target)));
          if (title !== null)
            intentOf(intent).extras.set('android.intent.extra.TITLE', {
              kind: 'L',
              value: asString(machine, title),
              taint: 0,
            });
          return intent;
        },
        'createChooser(Landroid/content/Intent;Ljava/lang/CharSequence;)Landroid/content/Intent;',
        'createChooser(Landroid/content/Intent;Ljava/lang/CharSequence;Landroid/content/IntentSender;)Landroid/content/Intent;',
      ),
      'makeMainActivity(Landroid/content/ComponentName;)Landroid/content/Intent;': (machine, name: HeapObject) =>
        newIntent(machine, { action: machine.string('android.intent.action.MAIN'), component: componentOf(name) }),
    },
    constants: { 'CREATOR:Landroid/os/Parcelable$Creator;': null },
  },
  'Landroid/content/IntentFilter;': { implements: ['Landroid/os/Parcelable;'], methods: filterMethods },
  'Landroid/content/ComponentName;': {
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Comparable;'],
    methods: {
      '<init>(Ljava/lang/String;Ljava/lang/String;)V': (
        machine,
        me: HeapObject,
        packageName: Reference,
        name: Reference,
      ) => {
        me.native = componentFrom(machine, packageName, name);
      },
      '<init>(Landroid/content/Context;Ljava/lang/String;)V': (
        machine,
        me: HeapObject,
        _context: Reference,
        name: Reference,
      ) => {
        me.native = componentFrom(machine, contextPackage(machine), name);
      },
      '<init>(Landroid/content/Context;Ljava/lang/Class;)V': (
        machine,
        me: HeapObject,
        _context: Reference,
        cls: HeapObject,
      ) => {
        me.native = componentFrom(machine, contextPackage(machine), classNameOf(machine, cls));
      },
      'getPackageName()Ljava/lang/String;': (machine, me: HeapObject) => machine.string(componentOf(me).packageName),
      'getClassName()Ljava/lang/String;': (machine, me: HeapObject) =>
        machine.string(componentOf(me).className, componentOf(me).taint),
      'getShortClassName()Ljava/lang/String;': (machine, me: HeapObject) =>
        machine.string(componentOf(me).className.replace(componentOf(me).packageName, ''), componentOf(me).taint),
      ...each(
        (machine, me: HeapObject) =>
          machine.string(`${componentOf(me).packageName}/${componentOf(me).className}`, componentOf(me).taint),
        'flattenToString()Ljava/lang/String;',
        'flattenToShortString()Ljava/lang/String;',
      ),
      'equals(Ljava/lang/Object;)Z': (_machine, me: HeapObject, other: Reference) =>
        flag(other !== null && other.cls === me.cls && componentOf(other).className === componentOf(me).className),
      'hashCode()I': (machine, me: HeapObject) => machine.hashCode(machine.string(componentOf(me).className)),
      'clone()Landroid/content/ComponentName;': self,
    },
    staticMethods: {
      'unflattenFromString(Ljava/lang/String;)Landroid/content/ComponentName;': (machine, value: Reference) => {
        const [packageName = '', name] = plain(machine, value).split('/');
        return name === undefined ? null : newComponentName(machine, componentFrom(machine, packageName, name));
      },
    },
  },
};
