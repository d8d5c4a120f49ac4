// Models of how an app takes the phone over beside its screens: a VPN, the wallpaper, shortcuts, a locked task. Knows no
// screen.
import type { EventCategory } from '../../../../contract/engine/reports.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { intentOf } from '../components/intent-state.ts';
import { uriText } from '../data/uri.ts';
import { each, listOf, nothing, plain, type Reference, self, stateOf, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';

const S = 'Ljava/lang/String;';
const intentType = 'Landroid/content/Intent;';
const vpnBuilder = 'Landroid/net/VpnService$Builder;';
const descriptorType = 'Landroid/os/ParcelFileDescriptor;';
const wallpaperType = 'Landroid/app/WallpaperManager;';
const shortcutType = 'Landroid/content/pm/ShortcutInfo;';
const shortcutBuilder = 'Landroid/content/pm/ShortcutInfo$Builder;';

const told =
  (category: EventCategory, what: string): NativeMethod =>
  (machine) => {
    recorderOf(machine).event(category, what);
  };

const paint = told('wallpaper', 'changed the wallpaper');

interface Tunnel {
  readonly servers: string[];
}

const tunnelOf = (builder: HeapObject): Tunnel => stateOf<Tunnel>(builder, () => ({ servers: [] }));
/** Servers of names that are told of. */
const maxServers = 20;

interface Shortcut {
  label: string;
  target: string;
}

const shortcutOf = (object: HeapObject): Shortcut => stateOf<Shortcut>(object, () => ({ label: '', target: '' }));

const addShortcut = (machine: Machine, shortcut: Reference): void => {
  const { label, target } = shortcut === null ? { label: '', target: '' } : shortcutOf(shortcut);
  recorderOf(machine).event('shortcut', `put a shortcut to ${target} as ${label}`);
};

const addShortcuts: NativeMethod = (machine, _me, list: Reference) => {
  const all = machine.call(list!, 'toArray()[Ljava/lang/Object;') as JavaArray;
  for (const shortcut of all.elements as Reference[]) addShortcut(machine, shortcut);
  return 1;
};

export const takenOverModels: Models = {
  'Landroid/net/VpnService;': {
    staticMethods: {
      // The owner has agreed already.
      'prepare(Landroid/content/Context;)Landroid/content/Intent;': () => null,
    },
    methods: { ...each(yes, 'protect(I)Z', 'protect(Ljava/net/Socket;)Z'), 'onRevoke()V': nothing },
  },
  [vpnBuilder]: {
    methods: {
      '<init>(Landroid/net/VpnService;)V': nothing,
      [`addDnsServer(${S})${vpnBuilder}`]: (machine, me, server: Reference) => {
        const { servers } = tunnelOf(me);
        if (servers.length < maxServers) servers.push(plain(machine, server));
        return me;
      },
      ...each(
        self,
        `addAddress(${S}I)${vpnBuilder}`,
        `addRoute(${S}I)${vpnBuilder}`,
        `addDnsServer(Ljava/net/InetAddress;)${vpnBuilder}`,
        `addSearchDomain(${S})${vpnBuilder}`,
        `setSession(${S})${vpnBuilder}`,
        `setMtu(I)${vpnBuilder}`,
        `setBlocking(Z)${vpnBuilder}`,
        `setConfigureIntent(Landroid/app/PendingIntent;)${vpnBuilder}`,
        `addAllowedApplication(${S})${vpnBuilder}`,
        `addDisallowedApplication(${S})${vpnBuilder}`,
        `allowFamily(I)${vpnBuilder}`,
      ),
      [`establish()${descriptorType}`]: (machine, me) => {
        const { servers } = tunnelOf(me);
        const names = servers.length === 0 ? '' : `, names from ${servers.join(', ')}`;
        recorderOf(machine).event('network', `led the phone's traffic through a VPN of its own${names}`);
        return machine.allocate(descriptorType);
      },
    },
  },
  [descriptorType]: {
    implements: ['Ljava/io/Closeable;'],
    methods: {
      'close()V': nothing,
      'getFileDescriptor()Ljava/io/FileDescriptor;': (machine) => machine.allocate('Ljava/io/FileDescriptor;'),
      'getFd()I': () => 42,
      'getStatSize()J': () => 0n,
    },
  },
  [wallpaperType]: {
    staticMethods: {
      [`getInstance(Landroid/content/Context;)${wallpaperType}`]: (machine) => singleton(machine, wallpaperType),
    },
    methods: {
      ...each(
        paint,
        'setBitmap(Landroid/graphics/Bitmap;)V',
        'setResource(I)V',
        'setStream(Ljava/io/InputStream;)V',
        'clear()V',
      ),
      'setBitmap(Landroid/graphics/Bitmap;Landroid/graphics/Rect;ZI)I': (machine, me) => {
        paint(machine, me);
        return 1;
      },
    },
  },
  'Landroid/content/pm/ShortcutManager;': {
    methods: {
      ...each(yes, 'isRequestPinShortcutSupported()Z', 'isRateLimitingActive()Z'),
      [`requestPinShortcut(${shortcutType}Landroid/content/IntentSender;)Z`]: (machine, _me, shortcut: Reference) => {
        addShortcut(machine, shortcut);
        return 1;
      },
      ...each(addShortcuts, 'setDynamicShortcuts(Ljava/util/List;)Z', 'addDynamicShortcuts(Ljava/util/List;)Z'),
      ...each(
        (machine) => listOf(machine, []),
        'getDynamicShortcuts()Ljava/util/List;',
        'getPinnedShortcuts()Ljava/util/List;',
      ),
    },
  },
  [shortcutType]: {},
  [shortcutBuilder]: {
    methods: {
      [`<init>(Landroid/content/Context;!${S})V`]: nothing,
      ...Object.fromEntries(
        ['setShortLabel', 'setLongLabel'].map((name): [string, NativeMethod] => [
          `${name}(Ljava/lang/CharSequence;)${shortcutBuilder}`,
          (machine, me, label: Reference) => {
            shortcutOf(me).label = plain(machine, label);
            return me;
          },
        ]),
      ),
      [`setIntent(!${intentType})${shortcutBuilder}`]: (machine, me, intent: HeapObject) => {
        const { action, data } = intentOf(intent);
        shortcutOf(me).target = data === null ? plain(machine, action) : uriText(data);
        return me;
      },
      [`setIcon(Landroid/graphics/drawable/Icon;)${shortcutBuilder}`]: self,
      [`build()${shortcutType}`]: (machine, me) => {
        const made = machine.allocate(shortcutType);
        Object.assign(shortcutOf(made), shortcutOf(me));
        return made;
      },
    },
  },
  'Landroid/app/Activity;': {
    methods: {
      'startLockTask()V': told('screen', 'kept the owner in its own task'),
      ...each(nothing, 'stopLockTask()V', 'setShowWhenLocked(Z)V', 'setTurnScreenOn(Z)V'),
    },
  },
  'Landroid/app/ActivityManager;': {
    methods: {
      [`killBackgroundProcesses(${S})V`]: (machine, _me, name: Reference) =>
        recorderOf(machine).event('process', `asked to end ${plain(machine, name)}`),
    },
  },
};
