// Models of what services of accessibility see: events of other apps, and the nodes of their screens. Knows no service and
// no order of events.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { bundleOf } from '../components/bundle.ts';
import { each, giveBack, listOf, no, none, nothing, plain, type Reference, stateOf, yes } from '../model-parts.ts';

export const nodeType = 'Landroid/view/accessibility/AccessibilityNodeInfo;';
export const eventType = 'Landroid/view/accessibility/AccessibilityEvent;';
const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';

/** `AccessibilityEvent.TYPE_…` of what the driver lets happen. */
export const eventTypes = {
  clicked: 0x1,
  focused: 0x8,
  textChanged: 0x10,
  windowChanged: 0x20,
  notified: 0x40,
  contentChanged: 0x800,
} as const;

/** A screen of another app, as a service sees it. */
export interface ForeignScreen {
  readonly packageName: string;
  readonly className: string;
  /** What stands on it, from top to bottom. */
  readonly views: readonly ForeignView[];
}

export interface ForeignView {
  readonly kind: 'text' | 'field' | 'password' | 'button';
  readonly text: string;
  /** Without the package: `id/button1`. */
  readonly id: string;
}

interface NodeState {
  readonly screen: ForeignScreen;
  readonly kind: ForeignView['kind'] | 'group';
  readonly text: string;
  readonly id: string;
  readonly parent: Reference;
  readonly children: HeapObject[];
}

interface EventState {
  readonly type: number;
  readonly screen: ForeignScreen;
  readonly texts: readonly string[];
  readonly isPassword: boolean;
  readonly source: Reference;
}

const viewClasses: Readonly<Record<NodeState['kind'], string>> = {
  text: 'android.widget.TextView',
  field: 'android.widget.EditText',
  password: 'android.widget.EditText',
  button: 'android.widget.Button',
  group: 'android.widget.FrameLayout',
};

const emptyScreen: ForeignScreen = { packageName: '', className: '', views: [] };
const nodeOf = (node: HeapObject): NodeState =>
  stateOf<NodeState>(node, () => ({
    screen: emptyScreen,
    kind: 'group',
    text: '',
    id: '',
    parent: null,
    children: [],
  }));
const eventOf = (event: HeapObject): EventState =>
  stateOf<EventState>(event, () => ({ type: 0, screen: emptyScreen, texts: [], isPassword: false, source: null }));

/** The content of other apps' screens is the owner's data. */
export const screenTaint = (machine: Machine, isPassword: boolean, api: string): Taint =>
  machine.source(isPassword ? 'TAINT_PASSWORD' : 'TAINT_SCREEN', api);

interface Watched {
  root: Reference;
  /** Texts of the buttons that were pressed on this screen and closed it. */
  readonly pressed: Set<string>;
}

const watched = (machine: Machine): Watched =>
  machine.state('android.watched-screen', () => ({ root: null, pressed: new Set<string>() }));

function newNode(machine: Machine, state: Omit<NodeState, 'children'>): HeapObject {
  const node = machine.allocate(nodeType);
  node.native = { ...state, children: [] } satisfies NodeState;
  if (state.parent !== null) nodeOf(state.parent).children.push(node);
  return node;
}

/** Brings a screen of another app to the front; its root. */
export function showForeignScreen(machine: Machine, screen: ForeignScreen): HeapObject {
  const root = newNode(machine, { screen, kind: 'group', text: '', id: 'id/content', parent: null });
  for (const { kind, text: written, id } of screen.views) {
    // The text of a password field is hidden from services; they only hear that it changed.
    const shown = kind === 'password' ? '•'.repeat(written.length) : written;
    newNode(machine, { screen, kind, text: shown, id, parent: root });
  }
  const state = watched(machine);
  state.root = root;
  state.pressed.clear();
  return root;
}

/** An event of the screen in front; `index` the view it is about, the screen as a whole where absent. */
export function newAccessibilityEvent(machine: Machine, type: number, root: HeapObject, index?: number): HeapObject {
  const event = machine.allocate(eventType);
  const { screen, children } = nodeOf(root);
  const source = index === undefined ? root : (children[index] ?? root);
  const { kind, text: shown } = nodeOf(source);
  event.native = {
    type,
    screen,
    texts: shown === '' ? [] : [shown],
    isPassword: kind === 'password',
    source,
  } satisfies EventState;
  return event;
}

const actions: Readonly<Record<number, string>> = {
  1: 'focused',
  16: 'pressed',
  32: 'held',
  4096: 'scrolled',
  8192: 'scrolled back',
  32768: 'pasted into',
  2097152: 'wrote into',
};

function perform(machine: Machine, node: HeapObject, action: number, args: Reference = null): number {
  const { screen, text: shown, id } = nodeOf(node);
  const written =
    args === null
      ? null
      : (giveBack(machine, bundleOf(args).get('ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE'), 'L', null) as Reference);
  const what = `${actions[action] ?? `did action ${action} on`} "${shown === '' ? id : shown}" in ${screen.packageName}`;
  recorderOf(machine).event('accessibility', written === null ? what : `${what}: ${plain(machine, written)}`);
  if (action === 16) watched(machine).pressed.add(shown === '' ? id : shown);
  return 1;
}

/** A node and all below it. */
const withChildren = (node: HeapObject): HeapObject[] => [node, ...nodeOf(node).children.flatMap(withChildren)];

/** Views of one screen at most, for services that look for a whole word list. */
const maxViews = 100;

/** A screen has a text that a service looks for until it is pressed: services look for it in many languages. */
function findNodes(machine: Machine, root: HeapObject, name: string, fits: (node: NodeState) => boolean): HeapObject {
  const { screen, children } = nodeOf(root);
  const found = withChildren(root).filter((node) => fits(nodeOf(node)));
  if (found.length > 0 || children.length >= maxViews || watched(machine).pressed.has(name))
    return listOf(machine, found);
  const isId = /^[\w.]+:id\//.test(name);
  const view = {
    kind: 'button' as const,
    text: isId ? '' : name,
    id: isId ? name.replace(/^[\w.]+:/, '') : 'id/button1',
  };
  return listOf(machine, [newNode(machine, { screen, ...view, parent: root })]);
}

const nodeText = (machine: Machine, node: HeapObject, api: string) => {
  const { kind, text: shown } = nodeOf(node);
  return shown === '' ? null : machine.string(shown, screenTaint(machine, kind === 'password', api));
};

const nodeMethods: NativeMethods = {
  [`findAccessibilityNodeInfosByText(${S})Ljava/util/List;`]: (machine, me, wanted: Reference) => {
    const lower = plain(machine, wanted).toLowerCase();
    return findNodes(machine, me, plain(machine, wanted), (node) => node.text.toLowerCase().includes(lower));
  },
  [`findAccessibilityNodeInfosByViewId(${S})Ljava/util/List;`]: (machine, me, wanted: Reference) => {
    const name = plain(machine, wanted);
    return findNodes(machine, me, name, ({ screen, id }) => `${screen.packageName}:${id}` === name);
  },
  'performAction(I)Z': perform,
  'performAction(ILandroid/os/Bundle;)Z': perform,
  'getChildCount()I': (_machine, me) => nodeOf(me).children.length,
  [`getChild(I)${nodeType}`]: (_machine, me, index: number) => nodeOf(me).children[index] ?? null,
  [`getParent()${nodeType}`]: (_machine, me) => nodeOf(me).parent,
  [`getText()${C}`]: (machine, me) => nodeText(machine, me, 'AccessibilityNodeInfo.getText'),
  [`getContentDescription()${C}`]: none,
  [`getClassName()${C}`]: (machine, me) => machine.string(viewClasses[nodeOf(me).kind]),
  [`getPackageName()${C}`]: (machine, me) => machine.string(nodeOf(me).screen.packageName),
  [`getViewIdResourceName()${S}`]: (machine, me) => machine.string(`${nodeOf(me).screen.packageName}:${nodeOf(me).id}`),
  'isPassword()Z': (_machine, me) => nodeOf(me).kind === 'password',
  'isClickable()Z': (_machine, me) => nodeOf(me).kind === 'button',
  ...each((_machine, me) => /field|password/.test(nodeOf(me).kind), 'isEditable()Z', 'isFocusable()Z', 'isFocused()Z'),
  'isScrollable()Z': (_machine, me) => nodeOf(me).kind === 'group',
  ...each(no, 'isCheckable()Z', 'isChecked()Z', 'isSelected()Z'),
  ...each(yes, 'isEnabled()Z', 'isVisibleToUser()Z', 'refresh()Z'),
  [`findFocus(I)${nodeType}`]: (_machine, me) =>
    withChildren(me).find((node) => /field|password/.test(nodeOf(node).kind)) ?? null,
  ...each(nothing, 'recycle()V', 'getBoundsInScreen(Landroid/graphics/Rect;)V'),
  'getActionList()Ljava/util/List;': (machine) => listOf(machine, []),
  [`toString()${S}`]: (machine, me) => machine.string(`${viewClasses[nodeOf(me).kind]}; text: ${nodeOf(me).text}`),
};

const eventMethods: NativeMethods = {
  'getEventType()I': (_machine, me) => eventOf(me).type,
  [`getPackageName()${C}`]: (machine, me) => machine.string(eventOf(me).screen.packageName),
  [`getClassName()${C}`]: (machine, me) => {
    const { type, screen, source } = eventOf(me);
    const isWhole = type === eventTypes.windowChanged || source === null;
    return machine.string(isWhole ? screen.className : viewClasses[nodeOf(source).kind]);
  },
  'getText()Ljava/util/List;': (machine, me) => {
    const { texts, isPassword } = eventOf(me);
    const taint = texts.length === 0 ? 0 : screenTaint(machine, isPassword, 'AccessibilityEvent.getText');
    return listOf(
      machine,
      texts.map((each) => machine.string(each, taint)),
    );
  },
  [`getSource()${nodeType}`]: (_machine, me) => eventOf(me).source,
  'isPassword()Z': (_machine, me) => eventOf(me).isPassword,
  [`getBeforeText()${C}`]: (machine) => machine.string(''),
  ...each(none, `getContentDescription()${C}`, 'getParcelableData()Landroid/os/Parcelable;'),
  'getEventTime()J': (machine) => BigInt(Math.round(machine.clock.elapsed)),
  'getContentChangeTypes()I': () => 1,
  'getAction()I': () => 16,
  'recycle()V': nothing,
};

/** The root of the screen in front; null before there is one. */
export const frontRoot = (machine: Machine): Reference => watched(machine).root;

export const foreignScreenModels: Models = {
  [eventType]: { methods: eventMethods, implements: ['Landroid/os/Parcelable;'] },
  [nodeType]: { methods: nodeMethods, implements: ['Landroid/os/Parcelable;'] },
  'Landroid/view/View$AccessibilityDelegate;': {
    methods: {
      ...each(
        nothing,
        '<init>()V',
        'sendAccessibilityEvent(Landroid/view/View;I)V',
        ...['onInitialize', 'onPopulate'].map(
          (name) => `${name}AccessibilityEvent(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)V`,
        ),
        'onInitializeAccessibilityNodeInfo(Landroid/view/View;Landroid/view/accessibility/AccessibilityNodeInfo;)V',
        'sendAccessibilityEventUnchecked(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)V',
      ),
      ...each(
        no,
        'dispatchPopulateAccessibilityEvent(Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)Z',
        'onRequestSendAccessibilityEvent(Landroid/view/ViewGroup;Landroid/view/View;Landroid/view/accessibility/AccessibilityEvent;)Z',
        'performAccessibilityAction(Landroid/view/View;ILandroid/os/Bundle;)Z',
      ),
      'getAccessibilityNodeProvider(Landroid/view/View;)Landroid/view/accessibility/AccessibilityNodeProvider;': none,
    },
  },
};
