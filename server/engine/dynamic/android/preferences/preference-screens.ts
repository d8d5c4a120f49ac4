// Models of what shows preferences: activities with their headers, fragments, and the manager of each. Knows no kind of
// preference.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import { startActivity } from '../components/delivery.ts';
import { intentOf } from '../components/intent-state.ts';
import { preferencesOf } from '../data/preferences.ts';
import { each, elementsOf, listOf, nothing, plain, type Reference, sideState, text } from '../model-parts.ts';
import { addFragment, fragmentManagerOf, fragmentOf, managerOf, newFragment } from '../screens/fragment-lives.ts';
import { quoted } from '../views/view-words.ts';
import {
  attach,
  findPreference,
  managerStateOf,
  managerType,
  newManager,
  preferenceOf,
  preferenceType,
  screenType,
  valuesOf,
} from './preference-state.ts';
import { headerType, inflateHeaders, inflatePreferences } from './preference-xml.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const activityType = 'Landroid/preference/PreferenceActivity;';
const fragmentType = 'Landroid/preference/PreferenceFragment;';
const tree = `onPreferenceTreeClick(${screenType}${preferenceType})Z`;
const sharedPreferences = 'Landroid/content/SharedPreferences;';

/** The manager of an activity's or a fragment's screen of settings. */
const managerFor = (machine: Machine, owner: HeapObject): HeapObject =>
  sideState(machine, 'preference-manager', owner, () =>
    newManager(machine, owner, (isFragment(machine, owner) ? fragmentOf(machine, owner).activity : owner) ?? owner),
  );

const isFragment = (machine: Machine, owner: HeapObject): boolean =>
  machine.isInstance(owner, 'Landroid/app/Fragment;');

/** Puts a screen in the place of a manager's, or its preferences beside those that are there. */
function show(machine: Machine, manager: HeapObject, screen: Reference, isAdded: boolean): void {
  const state = managerStateOf(manager);
  if (screen === null) {
    state.screen = null;
    return;
  }
  if (!isAdded || state.screen === null) {
    state.screen = screen;
    preferenceOf(machine, screen).manager = manager;
    attach(machine, screen);
    return;
  }
  for (const child of preferenceOf(machine, screen).children.splice(0))
    machine.call(state.screen, `addPreference(${preferenceType})Z`, child);
}

/** Shows a fragment of settings over the activity's content. */
function showFragment(machine: Machine, activity: HeapObject, name: string, given: Reference): void {
  const fragment = newFragment(machine, name, given);
  addFragment(machine, managerOf(fragmentManagerOf(machine, activity)), fragment);
}

/** Methods of activities and fragments alike. */
const ownerMethods: NativeMethods = {
  'addPreferencesFromResource(I)V': (machine, me, id: number) => {
    const manager = managerFor(machine, me);
    show(machine, manager, inflatePreferences(machine, id, managerStateOf(manager).context), true);
  },
  [`setPreferenceScreen(${screenType})V`]: (machine, me, screen: Reference) =>
    show(machine, managerFor(machine, me), screen, false),
  [`getPreferenceScreen()${screenType}`]: (machine, me) => managerStateOf(managerFor(machine, me)).screen,
  [`getPreferenceManager()${managerType}`]: managerFor,
  [`findPreference(${C})${preferenceType}`]: (machine, me, key: Reference) =>
    findPreference(machine, managerStateOf(managerFor(machine, me)).screen, plain(machine, key)),
  [tree]: (machine, me, _screen: Reference, preference: Reference) => {
    const name = preference === null ? null : preferenceOf(machine, preference).fragment;
    const activity = isFragment(machine, me) ? fragmentOf(machine, me).activity : me;
    if (name === null || activity === null) return 0;
    showFragment(machine, activity, name, preferenceOf(machine, preference!).extras);
    return 1;
  },
};

// Headers.

const onBuildHeaders = 'onBuildHeaders(Ljava/util/List;)V';
const onHeaderClick = `onHeaderClick(${headerType}I)V`;

const headersOf = (machine: Machine, activity: HeapObject): { list: Reference } =>
  sideState<{ list: Reference }>(machine, 'preference-headers', activity, () => ({ list: null }));

function showHeaders(machine: Machine, activity: HeapObject): void {
  const app = appOf(machine);
  const list = listOf(machine, []);
  headersOf(machine, activity).list = list;
  machine.call(activity, onBuildHeaders, list);
  for (const [index, header] of elementsOf(machine, list).entries()) {
    if (header === null) continue;
    app.listen(`header#${app.numberOf(header)} click`, {
      kind: 'click',
      about: () => `the heading${quoted(plain(machine, machine.getField(header, 'title') as Reference))}`,
      isReady: () => app.recordOf(activity)?.stage === 'resumed',
      isGone: () => app.recordOf(activity) === null,
      fire: () => machine.call(activity, onHeaderClick, header, index),
    });
  }
}

/** The fragment that another screen asked to be shown at once. */
const shownFragment = ':android:show_fragment';

function fragmentAskedFor(machine: Machine, activity: HeapObject): string {
  const intent = machine.call(activity, 'getIntent()Landroid/content/Intent;') as Reference;
  // Read past the app's own questions for extras, which are answered by trying.
  const extra = intent === null ? undefined : intentOf(intent).extras.get(shownFragment);
  return plain(machine, (extra?.value ?? null) as Reference);
}

const startFragment: NativeMethod = (machine, me, name: Reference, given: Reference) => {
  const wanted = plain(machine, name);
  if (machine.call(me, `isValidFragment(${S})Z`, machine.string(wanted)) !== 0)
    showFragment(machine, me, wanted, given);
};

const activityMethods: NativeMethods = {
  ...ownerMethods,
  'onCreate(Landroid/os/Bundle;)V': (machine, me, saved: Reference) => {
    const create = machine.resolveMethod(
      machine.classOf('Landroid/app/ListActivity;'),
      'onCreate(Landroid/os/Bundle;)V',
    );
    machine.invoke(create!, [me, saved]);
    const wanted = fragmentAskedFor(machine, me);
    if (wanted === '') showHeaders(machine, me);
    else startFragment(machine, me, machine.string(wanted), null);
  },
  [onBuildHeaders]: nothing,
  'loadHeadersFromResource(ILjava/util/List;)V': (machine, _me, id: number, list: Reference) => {
    for (const header of inflateHeaders(machine, id)) machine.call(list, 'add(Ljava/lang/Object;)Z', header);
  },
  [onHeaderClick]: (machine, me, header: Reference) => {
    if (header === null) return;
    const field = (name: string) => machine.getField(header, name) as Reference;
    const [fragment, intent] = [field('fragment'), field('intent')];
    if (fragment !== null) startFragment(machine, me, fragment, field('fragmentArguments'));
    else if (intent !== null) startActivity(machine, intent, me);
  },
  'isValidFragment(Ljava/lang/String;)Z': () => 1,
  'hasHeaders()Z': (machine, me) => {
    const { list } = headersOf(machine, me);
    return list === null ? 0 : machine.call(list, 'size()I') !== 0;
  },
  'invalidateHeaders()V': showHeaders,
  'isMultiPane()Z': () => 0,
  'onIsMultiPane()Z': () => 0,
  'onIsHidingHeaders()Z': () => 0,
  [`startWithFragment(${S}Landroid/os/Bundle;Landroid/app/Fragment;I)V`]: startFragment,
  [`startPreferencePanel(${S}Landroid/os/Bundle;I${C}Landroid/app/Fragment;I)V`]: startFragment,
  'startPreferenceFragment(Landroid/app/Fragment;Z)V': (machine, me, fragment: Reference) => {
    if (fragment !== null) addFragment(machine, managerOf(fragmentManagerOf(machine, me)), fragment);
  },
  'switchToHeader(Landroid/preference/PreferenceActivity$Header;)V': (machine, me, header: Reference) =>
    machine.call(me, onHeaderClick, header, 0),
};

const setDefaults = (machine: Machine, context: HeapObject, id: number, fileName: string | null): void => {
  const manager = newManager(machine, null, context);
  managerStateOf(manager).fileName = fileName;
  show(machine, manager, inflatePreferences(machine, id, context), false);
};

export const preferenceScreenModels: Models = {
  [activityType]: { extends: 'Landroid/app/ListActivity;', methods: activityMethods },
  [headerType]: {
    methods: {
      '<init>()V': nothing,
      [`getTitle(Landroid/content/res/Resources;)${C}`]: (machine, me) => machine.getField(me, 'title'),
      [`getSummary(Landroid/content/res/Resources;)${C}`]: (machine, me) => machine.getField(me, 'summary'),
    },
    fields: [
      'id:J',
      'titleRes:I',
      `title:${C}`,
      'summaryRes:I',
      `summary:${C}`,
      'iconRes:I',
      `fragment:${S}`,
      'fragmentArguments:Landroid/os/Bundle;',
      'intent:Landroid/content/Intent;',
      'extras:Landroid/os/Bundle;',
    ],
  },
  [fragmentType]: {
    extends: 'Landroid/app/Fragment;',
    methods: {
      ...ownerMethods,
      'onCreateView(Landroid/view/LayoutInflater;Landroid/view/ViewGroup;Landroid/os/Bundle;)Landroid/view/View;': (
        machine,
        me,
      ) =>
        machine.construct(
          'Landroid/widget/FrameLayout;',
          '<init>(Landroid/content/Context;)V',
          fragmentOf(machine, me).activity,
        ),
    },
  },
  [managerType]: {
    methods: {
      [`createPreferenceScreen(Landroid/content/Context;)${screenType}`]: (machine, me, context: Reference) => {
        const screen = machine.construct(screenType, '<init>(Landroid/content/Context;)V', context);
        preferenceOf(machine, screen).manager = me;
        return screen;
      },
      [`findPreference(${C})${preferenceType}`]: (machine, me, key: Reference) =>
        findPreference(machine, managerStateOf(me).screen, plain(machine, key)),
      [`getSharedPreferences()${sharedPreferences}`]: valuesOf,
      [`getSharedPreferencesName()${S}`]: (machine, me) =>
        text(machine, managerStateOf(me).fileName ?? `${appOf(machine).packageName}_preferences`),
      [`setSharedPreferencesName(${S})V`]: (machine, me, name: Reference) => {
        managerStateOf(me).fileName = name === null ? null : plain(machine, name);
      },
      ...each(nothing, 'setSharedPreferencesMode(I)V', 'setStorageDefault()V', 'setStorageDeviceProtected()V'),
    },
    staticMethods: {
      [`getDefaultSharedPreferences(Landroid/content/Context;)${sharedPreferences}`]: (machine) =>
        preferencesOf(machine, `${appOf(machine).packageName}_preferences`),
      [`getDefaultSharedPreferencesName(Landroid/content/Context;)${S}`]: (machine) =>
        machine.string(`${appOf(machine).packageName}_preferences`),
      'setDefaultValues(!Landroid/content/Context;IZ)V': (machine, context: HeapObject, id: number) =>
        setDefaults(machine, context, id, null),
      [`setDefaultValues(!Landroid/content/Context;${S}IIZ)V`]: (
        machine,
        context: HeapObject,
        name: Reference,
        _mode: number,
        id: number,
      ) => setDefaults(machine, context, id, name === null ? null : plain(machine, name)),
    },
  },
};
