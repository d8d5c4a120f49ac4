// The bar on top of an activity: titles, navigation tabs and lists with their listeners. Knows no views.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { each, nothing, type Reference, sideState, stateOf } from '../model-parts.ts';
import { fragmentManagerOf } from './fragment-lives.ts';

interface BarState {
  readonly activity: Reference;
  readonly tabs: HeapObject[];
  selected: number;
  mode: number;
  isShowing: boolean;
  readonly properties: Map<string, Value>;
}

interface TabState {
  readonly bar: Reference;
  listener: Reference;
  readonly properties: Map<string, Reference>;
}

const bar = 'Landroid/app/ActionBar;';
const tab = 'Landroid/app/ActionBar$Tab;';
const transaction = 'Landroid/app/FragmentTransaction;';
const text = 'Ljava/lang/CharSequence;';
const view = 'Landroid/view/View;';
const maxTabs = 100;

const barOf = (me: HeapObject): BarState =>
  stateOf<BarState>(me, () => ({
    activity: null,
    tabs: [],
    selected: -1,
    mode: 0,
    isShowing: true,
    properties: new Map(),
  }));
const tabOf = (me: HeapObject): TabState =>
  stateOf<TabState>(me, () => ({ bar: null, listener: null, properties: new Map() }));

/** `Activity.getActionBar()`: the same one each time. */
export const actionBarOf: NativeMethod = (machine, activity: HeapObject) =>
  sideState(machine, 'action-bar', activity, () => {
    const made = machine.allocate(bar);
    made.native = { ...barOf(made), activity } satisfies BarState;
    return made;
  });

/** Tells the tab's listener, with a transaction of the activity's fragments, which is then committed. */
const select: NativeMethod = (machine, me, chosen: HeapObject) => {
  const state = barOf(me);
  const index = state.tabs.indexOf(chosen);
  const before = state.tabs[state.selected];
  state.selected = index;
  const tell = (which: HeapObject | undefined, what: string) => {
    const listener = which === undefined ? null : tabOf(which).listener;
    if (listener === null || state.activity === null) return;
    const manager = fragmentManagerOf(machine, state.activity);
    const steps = machine.call(manager, `beginTransaction()${transaction}`) as HeapObject;
    machine.call(listener, `${what}(${tab}${transaction})V`, which!, steps);
    machine.call(steps, 'commit()I');
  };
  if (before === chosen) tell(chosen, 'onTabReselected');
  else {
    tell(before, 'onTabUnselected');
    tell(chosen, 'onTabSelected');
  }
};

const addTab: NativeMethod = (machine, me, added: HeapObject, ...rest: Value[]) => {
  const state = barOf(me);
  if (state.tabs.length >= maxTabs) return;
  const at = rest.length > 0 && typeof rest[0] === 'number' && rest.length === 2 ? rest[0] : state.tabs.length;
  state.tabs.splice(at, 0, added);
  if (state.tabs.length === 1) {
    post(machine, 0, state.activity?.cls.name ?? '', () => {
      if (state.selected < 0) select(machine, me, added);
    });
  }
  const app = appOf(machine);
  app.listen(`tab#${app.numberOf(added)}`, {
    kind: 'tab',
    fire: () => void select(machine, me, added),
    isReady: () => state.tabs.includes(added) && app.front?.object === state.activity,
  });
};

const setProperty =
  (name: string): NativeMethod =>
  (_machine, me, value: Value) =>
    void barOf(me).properties.set(name, value);
const property =
  (name: string): NativeMethod =>
  (_machine, me) =>
    barOf(me).properties.get(name) ?? null;

const listNavigation: NativeMethod = (machine, me, adapter: Reference, listener: Reference) => {
  const app = appOf(machine);
  const state = barOf(me);
  const count = adapter === null ? 0 : Number(machine.call(adapter, 'getCount()I'));
  for (let index = 0; index < Math.min(count, maxTabs) && listener !== null; index++) {
    app.listen(`navigation#${app.numberOf(listener)} ${index}`, {
      kind: 'tab',
      fire: () => {
        state.selected = index;
        machine.call(listener, 'onNavigationItemSelected(IJ)Z', index, BigInt(index));
      },
      isReady: () => app.front?.object === state.activity,
    });
  }
};

const barMethods: NativeMethods = {
  [`newTab()${tab}`]: (machine, me) => {
    const made = machine.allocate(tab);
    made.native = { ...tabOf(made), bar: me } satisfies TabState;
    return made;
  },
  ...each(addTab, `addTab(!${tab})V`, `addTab(!${tab}Z)V`, `addTab(!${tab}I)V`, `addTab(!${tab}IZ)V`),
  [`selectTab(!${tab})V`]: select,
  [`getTabAt(I)${tab}`]: (_machine, me, index: number) => barOf(me).tabs[index] ?? null,
  [`getSelectedTab()${tab}`]: (_machine, me) => barOf(me).tabs[barOf(me).selected] ?? null,
  ...each((_machine, me) => barOf(me).tabs.length, 'getTabCount()I', 'getNavigationItemCount()I'),
  'getSelectedNavigationIndex()I': (_machine, me) => barOf(me).selected,
  'setSelectedNavigationItem(I)V': (machine, me, index: number) => {
    const chosen = barOf(me).tabs[index];
    if (chosen === undefined) barOf(me).selected = index;
    else select(machine, me, chosen);
  },
  [`removeTab(${tab})V`]: (_machine, me, removed: HeapObject) => {
    const { tabs } = barOf(me);
    if (tabs.includes(removed)) tabs.splice(tabs.indexOf(removed), 1);
  },
  'removeAllTabs()V': (_machine, me) => {
    barOf(me).tabs.length = 0;
    barOf(me).selected = -1;
  },
  'setNavigationMode(I)V': (_machine, me, mode: number) => {
    barOf(me).mode = mode;
  },
  'getNavigationMode()I': (_machine, me) => barOf(me).mode,
  'setListNavigationCallbacks(Landroid/widget/SpinnerAdapter;Landroid/app/ActionBar$OnNavigationListener;)V':
    listNavigation,
  [`setTitle(${text})V`]: setProperty('title'),
  [`getTitle()${text}`]: property('title'),
  [`setSubtitle(${text})V`]: setProperty('subtitle'),
  [`getSubtitle()${text}`]: property('subtitle'),
  ...each(
    setProperty('custom'),
    `setCustomView(${view})V`,
    `setCustomView(${view}Landroid/app/ActionBar$LayoutParams;)V`,
  ),
  'setCustomView(I)V': (machine, me, id: number) => {
    const { activity, properties } = barOf(me);
    if (activity === null) return;
    const inflater = machine.call(activity, 'getLayoutInflater()Landroid/view/LayoutInflater;') as HeapObject;
    properties.set('custom', machine.call(inflater, `inflate(ILandroid/view/ViewGroup;)${view}`, id, null));
  },
  [`getCustomView()${view}`]: property('custom'),
  'setDisplayOptions(I)V': setProperty('options'),
  'setDisplayOptions(II)V': (_machine, me, options: number, mask: number) => {
    const { properties } = barOf(me);
    properties.set('options', (Number(properties.get('options') ?? 11) & ~mask) | (options & mask));
  },
  'getDisplayOptions()I': (_machine, me) => Number(barOf(me).properties.get('options') ?? 11),
  'show()V': (_machine, me) => {
    barOf(me).isShowing = true;
  },
  'hide()V': (_machine, me) => {
    barOf(me).isShowing = false;
  },
  'isShowing()Z': (_machine, me) => barOf(me).isShowing,
  'getHeight()I': () => 168,
  'getThemedContext()Landroid/content/Context;': (_machine, me) => barOf(me).activity,
  ...each(
    nothing,
    'setTitle(I)V',
    'setSubtitle(I)V',
    'setIcon(I)V',
    'setIcon(Landroid/graphics/drawable/Drawable;)V',
    'setLogo(I)V',
    'setBackgroundDrawable(Landroid/graphics/drawable/Drawable;)V',
    'setElevation(F)V',
    'setDisplayHomeAsUpEnabled(Z)V',
    'setDisplayShowCustomEnabled(Z)V',
    'setDisplayShowHomeEnabled(Z)V',
    'setDisplayShowTitleEnabled(Z)V',
    'setDisplayUseLogoEnabled(Z)V',
    'setHomeButtonEnabled(Z)V',
    'setHomeAsUpIndicator(I)V',
    'addOnMenuVisibilityListener(Landroid/app/ActionBar$OnMenuVisibilityListener;)V',
  ),
};

/** A setter that returns the tab, and its getter. */
const tabProperty = (name: string, type: string, key: string): NativeMethods => ({
  [`set${name}(${type})${tab}`]: (_machine, me, value: Reference) => {
    tabOf(me).properties.set(key, value);
    return me;
  },
  [`get${name}()${type}`]: (_machine, me) => tabOf(me).properties.get(key) ?? null,
});

const tabMethods: NativeMethods = {
  ...tabProperty('Text', text, 'text'),
  ...tabProperty('Tag', 'Ljava/lang/Object;', 'tag'),
  ...tabProperty('CustomView', view, 'view'),
  ...tabProperty('Icon', 'Landroid/graphics/drawable/Drawable;', 'icon'),
  ...tabProperty('ContentDescription', text, 'description'),
  ...each(
    (_machine, me) => me,
    `setText(I)${tab}`,
    `setIcon(I)${tab}`,
    `setCustomView(I)${tab}`,
    `setContentDescription(I)${tab}`,
  ),
  [`setTabListener(Landroid/app/ActionBar$TabListener;)${tab}`]: (_machine, me, listener: Reference) => {
    tabOf(me).listener = listener;
    return me;
  },
  'getPosition()I': (_machine, me) => {
    const owner = tabOf(me).bar;
    return owner === null ? -1 : barOf(owner).tabs.indexOf(me);
  },
  'select()V': (machine, me) => {
    const owner = tabOf(me).bar;
    if (owner !== null) select(machine, owner, me);
  },
};

export const actionBarModels: Models = {
  [bar]: { methods: barMethods },
  [tab]: { methods: tabMethods },
  'Landroid/app/ActionBar$LayoutParams;': { extends: 'Landroid/view/ViewGroup$MarginLayoutParams;' },
  'Landroid/app/ActionBar$TabListener;': {
    isInterface: true,
    abstractMethods: ['onTabSelected', 'onTabUnselected', 'onTabReselected'].map(
      (name) => `${name}(${tab}${transaction})V`,
    ),
  },
  'Landroid/app/ActionBar$OnNavigationListener;': {
    isInterface: true,
    abstractMethods: ['onNavigationItemSelected(IJ)Z'],
  },
};
