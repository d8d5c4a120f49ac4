// Models of menus, their items and the layouts they are made of. Knows no bar that shows them.
import { isElement } from '../../../formats/axml/document.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';
import {
  callIfThere,
  descriptorOf,
  each,
  no,
  none,
  nothing,
  type Reference,
  self,
  stateOf,
  yes,
} from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { readXml } from '../resources/xml-resources.ts';

interface MenuState {
  readonly items: HeapObject[];
}
interface ItemState {
  id: number;
  title: Reference;
  listener: Reference;
  intent: Reference;
  isVisible: boolean;
  isChecked: boolean;
  actionView: Reference;
  onClick: string | null;
  /** Which row of a list its context menu is of. */
  info: Reference;
}

export const menuOf = (menu: HeapObject): MenuState => stateOf<MenuState>(menu, () => ({ items: [] }));
export const menuItemOf = (item: HeapObject): ItemState =>
  stateOf<ItemState>(item, () => ({
    id: 0,
    title: null,
    listener: null,
    intent: null,
    isVisible: true,
    isChecked: false,
    actionView: null,
    onClick: null,
    info: null,
  }));

export const newMenu = (machine: Machine): HeapObject => machine.allocate('Landroid/view/MenuImpl;');

/** An entry is touched: its listener has it, then whatever it opens, else `otherwise` is called. */
export function chooseItem(machine: Machine, item: HeapObject, otherwise: () => void): void {
  const { listener, intent } = menuItemOf(item);
  if (listener !== null && callIfThere(machine, listener, 'onMenuItemClick(Landroid/view/MenuItem;)Z', item) !== 0)
    return;
  otherwise();
  const { front } = appOf(machine);
  if (intent !== null && front !== null) machine.call(front.object, 'startActivity(Landroid/content/Intent;)V', intent);
}

function addItem(machine: Machine, menu: HeapObject, id: number, title: Reference): HeapObject {
  const item = machine.allocate('Landroid/view/MenuItemImpl;');
  Object.assign(menuItemOf(item), { id, title });
  menuOf(menu).items.push(item);
  return item;
}

const itemStep =
  (apply?: (state: ItemState, value: Value) => void): NativeMethod =>
  (_machine, me, value: Value = null) => {
    apply?.(menuItemOf(me), value);
    return me;
  };

const itemType = 'Landroid/view/MenuItem;';
const itemMethods: NativeMethods = {
  'getItemId()I': (_machine, me) => menuItemOf(me).id,
  'getGroupId()I': no,
  'getOrder()I': no,
  'getTitle()Ljava/lang/CharSequence;': (_machine, me) => menuItemOf(me).title,
  'isVisible()Z': (_machine, me) => menuItemOf(me).isVisible,
  'isEnabled()Z': yes,
  'isChecked()Z': (_machine, me) => menuItemOf(me).isChecked,
  'isCheckable()Z': no,
  'hasSubMenu()Z': no,
  'getSubMenu()Landroid/view/SubMenu;': none,
  'getMenuInfo()Landroid/view/ContextMenu$ContextMenuInfo;': (_machine, me) => menuItemOf(me).info,
  'getIntent()Landroid/content/Intent;': (_machine, me) => menuItemOf(me).intent,
  'getActionView()Landroid/view/View;': (_machine, me) => menuItemOf(me).actionView,
  [`setOnMenuItemClickListener(Landroid/view/MenuItem$OnMenuItemClickListener;)${itemType}`]: itemStep(
    (state, value) => {
      state.listener = value as Reference;
    },
  ),
  [`setIntent(Landroid/content/Intent;)${itemType}`]: itemStep((state, value) => {
    state.intent = value as Reference;
  }),
  [`setVisible(Z)${itemType}`]: itemStep((state, value) => {
    state.isVisible = value !== 0;
  }),
  [`setChecked(Z)${itemType}`]: itemStep((state, value) => {
    state.isChecked = value !== 0;
  }),
  [`setTitle(Ljava/lang/CharSequence;)${itemType}`]: itemStep((state, value) => {
    state.title = value as Reference;
  }),
  [`setActionView(Landroid/view/View;)${itemType}`]: itemStep((state, value) => {
    state.actionView = value as Reference;
  }),
  ...each(
    itemStep(),
    ...[
      'setTitle(I)',
      'setIcon(I)',
      'setIcon(Landroid/graphics/drawable/Drawable;)',
      'setEnabled(Z)',
      'setCheckable(Z)',
      'setAlphabeticShortcut(C)',
      'setTitleCondensed(Ljava/lang/CharSequence;)',
      'setActionView(I)',
    ].map((name) => `${name}${itemType}`),
  ),
  'setShowAsAction(I)V': nothing,
};

const menuMethods: NativeMethods = {
  [`add(Ljava/lang/CharSequence;)${itemType}`]: (machine, me, title: Reference) => addItem(machine, me, 0, title),
  [`add(I)${itemType}`]: (machine, me) => addItem(machine, me, 0, null),
  [`add(IIILjava/lang/CharSequence;)${itemType}`]: (
    machine,
    me,
    _group: number,
    id: number,
    _order: number,
    title: Reference,
  ) => addItem(machine, me, id, title),
  [`add(IIII)${itemType}`]: (machine, me, _group: number, id: number) => addItem(machine, me, id, null),
  ...each(
    (machine, me) => {
      const menu = machine.allocate('Landroid/view/MenuImpl;');
      menu.native = menuOf(me);
      return menu;
    },
    'addSubMenu(Ljava/lang/CharSequence;)Landroid/view/SubMenu;',
    'addSubMenu(IIILjava/lang/CharSequence;)Landroid/view/SubMenu;',
    'addSubMenu(I)Landroid/view/SubMenu;',
  ),
  [`findItem(I)${itemType}`]: (_machine, me, id: number) =>
    menuOf(me).items.find((item) => menuItemOf(item).id === id) ?? null,
  [`getItem(I)${itemType}`]: (_machine, me, index: number) => menuOf(me).items[index] ?? null,
  'size()I': (_machine, me) => menuOf(me).items.length,
  'clear()V': (_machine, me) => {
    menuOf(me).items.length = 0;
  },
  'removeItem(I)V': (_machine, me, id: number) => {
    const { items } = menuOf(me);
    const at = items.findIndex((item) => menuItemOf(item).id === id);
    if (at >= 0) items.splice(at, 1);
  },
  'hasVisibleItems()Z': (_machine, me) => menuOf(me).items.length > 0,
  ...each(
    nothing,
    'setGroupVisible(IZ)V',
    'setGroupEnabled(IZ)V',
    'setGroupCheckable(IZZ)V',
    'close()V',
    'setHeaderTitle(Ljava/lang/CharSequence;)V',
  ),
  'setHeaderTitle(Ljava/lang/CharSequence;)Landroid/view/ContextMenu;': self,
};

/** The view that a menu's item shows in the bar: of a class, or a layout. */
function actionView(machine: Machine, className: string | null, layout: number): Reference {
  const { front, application } = appOf(machine);
  const context = front?.object ?? application;
  if (className !== null && className !== '') {
    return machine.construct(descriptorOf(className), '<init>(Landroid/content/Context;)V', context);
  }
  if (layout === 0) return null;
  const inflater = singleton(machine, 'Landroid/view/LayoutInflater;');
  return machine.call(inflater, 'inflate(ILandroid/view/ViewGroup;)Landroid/view/View;', layout | 0, null) as Reference;
}

const inflateMenu: NativeMethod = (machine, _me, id: number, menu: HeapObject) => {
  const root = readXml(machine, id);
  if (root === null) return;
  for (const element of root.children.flatMap((child) =>
    isElement(child) ? [child, ...child.children.filter(isElement)] : [],
  )) {
    if (element.name !== 'item') continue;
    const attribute = (name: string) => element.attributes.find((each) => each.name === name);
    const item = addItem(
      machine,
      menu,
      (attribute('id')?.data ?? 0) | 0,
      machine.string(attribute('title')?.text ?? ''),
    );
    menuItemOf(item).onClick = attribute('onClick')?.text ?? null;
    menuItemOf(item).actionView = actionView(
      machine,
      attribute('actionViewClass')?.text ?? null,
      attribute('actionLayout')?.data ?? 0,
    );
  }
};

export const menuModels: Models = {
  'Landroid/view/Menu;': { isInterface: true },
  'Landroid/view/SubMenu;': { isInterface: true, implements: ['Landroid/view/Menu;'] },
  'Landroid/view/ContextMenu;': { isInterface: true, implements: ['Landroid/view/Menu;'] },
  [itemType]: { isInterface: true },
  'Landroid/view/MenuImpl;': {
    implements: ['Landroid/view/SubMenu;', 'Landroid/view/ContextMenu;'],
    methods: menuMethods,
  },
  'Landroid/view/MenuItemImpl;': { implements: [itemType], methods: itemMethods },
  'Landroid/view/MenuInflater;': {
    methods: { 'inflate(I!Landroid/view/Menu;)V': inflateMenu, '<init>(Landroid/content/Context;)V': nothing },
  },
};
