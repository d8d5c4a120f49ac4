// Model of Intent. Knows no component's life and no delivery.
import { made } from '../../java/values.ts';
import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { uriText } from '../data/uri.ts';
import { asString, each, giveBack, keep, nothing, plain, type Reference, setOf } from '../model-parts.ts';
import { bundleOf, newBundle, primitives, references } from './bundle.ts';
import { componentFrom, componentOf, newComponentName, ownComponent } from './component-name.ts';
import { blank, copyOf, fillIn, type IntentState, intentOf, intentTaint, newIntent, shapeOf } from './intent-state.ts';
import { intentUri, parseUri } from './intent-uri.ts';
import { askedForAction, extraOf, hasExtra, missedExtra } from './missed-extras.ts';

const set =
  (apply: (state: IntentState, ...values: Reference[]) => void): NativeMethod =>
  (_machine, me, ...values: Reference[]) => {
    apply(intentOf(me), ...values);
    return me;
  };

function extraMethods(): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  const put =
    (kind: string): NativeMethod =>
    (machine, me, key: Reference, value: Value) => {
      intentOf(me).extras.set(plain(machine, key), keep(machine, kind, value, 2));
      return me;
    };
  for (const [name, type] of primitives) {
    methods[`putExtra(Ljava/lang/String;${type})Landroid/content/Intent;`] = put(type);
    methods[`get${name}Extra(Ljava/lang/String;${type})${type}`] = (machine, me, key: Reference, otherwise: Value) =>
      giveBack(machine, extraOf(machine, intentOf(me).extras, plain(machine, key), type), type, otherwise);
  }
  for (const [name, type] of references) {
    const isList = type === 'Ljava/util/ArrayList;';
    methods[
      isList
        ? `put${name}Extra(Ljava/lang/String;${type})Landroid/content/Intent;`
        : `putExtra(Ljava/lang/String;${type})Landroid/content/Intent;`
    ] = put('L');
    methods[`get${name}Extra(Ljava/lang/String;)${type}`] = (machine, me, key: Reference) => {
      const found = giveBack(
        machine,
        extraOf(machine, intentOf(me).extras, plain(machine, key), type),
        'L',
        null,
      ) as Reference;
      return found !== null &&
        (type.startsWith('[') || type === 'Landroid/os/Parcelable;' || machine.isInstance(found, type))
        ? found
        : null;
    };
  }
  const typed: NativeMethod = (machine, me, key: Reference, type: HeapObject) =>
    giveBack(
      machine,
      extraOf(machine, intentOf(me).extras, plain(machine, key), machine.classFrom(type).descriptor),
      'L',
      null,
    );
  methods['getParcelableExtra(Ljava/lang/String;!Ljava/lang/Class;)Ljava/lang/Object;'] = typed;
  methods['getSerializableExtra(Ljava/lang/String;!Ljava/lang/Class;)Ljava/io/Serializable;'] = typed;
  return methods;
}

const intentType = 'Landroid/content/Intent;';

const intentMethods: NativeMethods = {
  '<init>()V': made(() => blank()),
  '<init>(!Landroid/content/Intent;)V': made((_machine, other: HeapObject) => copyOf(intentOf(other))),
  '<init>(Ljava/lang/String;)V': made((_machine, action: Reference) => ({ ...blank(), action })),
  '<init>(Ljava/lang/String;Landroid/net/Uri;)V': made((_machine, action: Reference, data: Reference) => ({
    ...blank(),
    action,
    data,
  })),
  '<init>(!Landroid/content/Context;!Ljava/lang/Class;)V': made((machine, _context: Reference, cls: HeapObject) => ({
    ...blank(),
    component: ownComponent(machine, cls),
  })),
  '<init>(Ljava/lang/String;Landroid/net/Uri;Landroid/content/Context;!Ljava/lang/Class;)V': (
    machine,
    me,
    action: Reference,
    data: Reference,
    _context: Reference,
    cls: HeapObject,
  ) => {
    const component = ownComponent(machine, cls);
    me.native = { ...blank(), action, data, component };
  },
  [`setAction(Ljava/lang/String;)${intentType}`]: set((state, action) => {
    state.action = action!;
  }),
  'getAction()Ljava/lang/String;': (machine, me) => {
    askedForAction(machine);
    return intentOf(me).action;
  },
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
  'getData()Landroid/net/Uri;': (_machine, me) => intentOf(me).data,
  'getDataString()Ljava/lang/String;': (machine, me) => {
    const { data } = intentOf(me);
    return data === null ? null : machine.string(uriText(data), data.taint);
  },
  'getScheme()Ljava/lang/String;': (machine, me) => {
    const { data } = intentOf(me);
    return data === null ? null : machine.call(data, 'getScheme()Ljava/lang/String;');
  },
  'getType()Ljava/lang/String;': (_machine, me) => intentOf(me).type,
  'resolveType(Landroid/content/ContentResolver;)Ljava/lang/String;': (_machine, me) => intentOf(me).type,
  [`addCategory(Ljava/lang/String;)${intentType}`]: (machine, me, category: Reference) => {
    intentOf(me).categories.set(plain(machine, category), category);
    return me;
  },
  'removeCategory(Ljava/lang/String;)V': (machine, me, category: Reference) =>
    intentOf(me).categories.delete(plain(machine, category)),
  'hasCategory(Ljava/lang/String;)Z': (machine, me, category: Reference) =>
    intentOf(me).categories.has(plain(machine, category)),
  'getCategories()Ljava/util/Set;': (machine, me) => {
    const { categories } = intentOf(me);
    return categories.size === 0 ? null : setOf(machine, [...categories.values()]);
  },
  [`setFlags(I)${intentType}`]: (_machine, me, flags: number) => {
    intentOf(me).flags = flags;
    return me;
  },
  [`addFlags(I)${intentType}`]: (_machine, me, flags: number) => {
    intentOf(me).flags |= flags;
    return me;
  },
  'getFlags()I': (_machine, me) => intentOf(me).flags,
  [`setPackage(Ljava/lang/String;)${intentType}`]: set((state, name) => {
    state.package = name!;
  }),
  'getPackage()Ljava/lang/String;': (_machine, me) => intentOf(me).package,
  [`setIdentifier(Ljava/lang/String;)${intentType}`]: set((state, name) => {
    state.identifier = name!;
  }),
  'getIdentifier()Ljava/lang/String;': (_machine, me) => intentOf(me).identifier,
  ...each(
    (machine, me, _context: Reference, of: HeapObject) => {
      intentOf(me).component = ownComponent(machine, of);
      return me;
    },
    `setClass(Landroid/content/Context;!Ljava/lang/Class;)${intentType}`,
    `setClassName(Landroid/content/Context;!Ljava/lang/String;)${intentType}`,
  ),
  [`setClassName(Ljava/lang/String;Ljava/lang/String;)${intentType}`]: (
    machine,
    me,
    packageName: Reference,
    name: Reference,
  ) => {
    intentOf(me).component = componentFrom(machine, packageName, name);
    return me;
  },
  [`setComponent(Landroid/content/ComponentName;)${intentType}`]: (_machine, me, name: Reference) => {
    intentOf(me).component = name === null ? null : componentOf(name);
    return me;
  },
  'getComponent()Landroid/content/ComponentName;': (machine, me) => {
    const { component } = intentOf(me);
    return component === null ? null : newComponentName(machine, component);
  },
  [`setSelector(${intentType})V`]: (_machine, me, selector: Reference) => {
    intentOf(me).selector = selector;
  },
  'setClipData(Landroid/content/ClipData;)V': (_machine, me, clip: Reference) => {
    intentOf(me).clip = clip;
  },
  'getClipData()Landroid/content/ClipData;': (_machine, me) => intentOf(me).clip,
  ...each(nothing, 'setExtrasClassLoader(Ljava/lang/ClassLoader;)V', 'setSourceBounds(Landroid/graphics/Rect;)V'),
  'getExtras()Landroid/os/Bundle;': (machine, me) => {
    const { extras } = intentOf(me);
    if (extras.size > 0) return newBundle(machine, new Map(extras));
    // Remembers that extras are wanted; their names become known once an intent has some.
    missedExtra(machine, 'extra', 'Ljava/lang/String;');
    return null;
  },
  'hasExtra(Ljava/lang/String;)Z': (machine, me, key: Reference) =>
    hasExtra(machine, intentOf(me).extras, plain(machine, key)),
  'removeExtra(Ljava/lang/String;)V': (machine, me, key: Reference) => intentOf(me).extras.delete(plain(machine, key)),
  [`putExtras(!Landroid/os/Bundle;)${intentType}`]: (_machine, me, bundle: HeapObject) => {
    for (const [key, kept] of bundleOf(bundle)) intentOf(me).extras.set(key, kept);
    return me;
  },
  [`putExtras(!${intentType})${intentType}`]: (_machine, me, other: HeapObject) => {
    for (const [key, kept] of intentOf(other).extras) intentOf(me).extras.set(key, kept);
    return me;
  },
  [`replaceExtras(Landroid/os/Bundle;)${intentType}`]: (_machine, me, bundle: Reference) => {
    intentOf(me).extras = new Map(bundle === null ? [] : bundleOf(bundle));
    return me;
  },
  [`cloneFilter()${intentType}`]: (machine, me) => newIntent(machine, { ...copyOf(intentOf(me)), extras: new Map() }),
  'clone()Ljava/lang/Object;': (machine, me) => newIntent(machine, copyOf(intentOf(me))),
  'filterEquals(!Landroid/content/Intent;)Z': (machine, me, other: HeapObject) =>
    JSON.stringify(shapeOf(machine, intentOf(me))) === JSON.stringify(shapeOf(machine, intentOf(other))),
  'fillIn(!Landroid/content/Intent;I)I': (_machine, me, other: HeapObject) => {
    fillIn(intentOf(me), intentOf(other));
    return 0;
  },
  'resolveActivity(Landroid/content/pm/PackageManager;)Landroid/content/ComponentName;': (machine, me) => {
    const { component } = intentOf(me);
    const found = component ?? {
      packageName: 'android',
      className: 'com.android.internal.app.ResolverActivity',
      taint: 0,
    };
    return newComponentName(machine, found);
  },
  ...each(
    (machine, me, flags = 0) => {
      const state = intentOf(me);
      return machine.string(intentUri(machine, state, (flags & 1) !== 0), intentTaint(machine, state));
    },
    'toUri(I)Ljava/lang/String;',
    'toURI()Ljava/lang/String;',
  ),
  'toString()Ljava/lang/String;': (machine, me) => {
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
        'createChooser(!Landroid/content/Intent;Ljava/lang/CharSequence;)Landroid/content/Intent;',
        'createChooser(!Landroid/content/Intent;Ljava/lang/CharSequence;Landroid/content/IntentSender;)Landroid/content/Intent;',
      ),
      'makeMainActivity(!Landroid/content/ComponentName;)Landroid/content/Intent;': (machine, name: HeapObject) =>
        newIntent(machine, { action: machine.string('android.intent.action.MAIN'), component: componentOf(name) }),
    },
    constants: { 'CREATOR:Landroid/os/Parcelable$Creator;': null },
  },
};
