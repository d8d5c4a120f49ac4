// Models of DevicePolicyManager and DeviceAdminReceiver: what an app does once the owner has put it in charge. Knows no
// screen that asks.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { appOf } from '../components/app.ts';
import { componentFrom, newComponentName } from '../components/component-name.ts';
import { intentOf } from '../components/intent-state.ts';
import { each, listOf, no, none, nothing, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';

const S = 'Ljava/lang/String;';
const managerType = 'Landroid/app/admin/DevicePolicyManager;';

const act =
  (what: string): NativeMethod =>
  (machine) => {
    recorderOf(machine).event('device-admin', what);
    return 1;
  };

const policyMethods: NativeMethods = {
  'isAdminActive(Landroid/content/ComponentName;)Z': (machine) =>
    appOf(machine).allowed.has('android.app.action.ADD_DEVICE_ADMIN'),
  'lockNow()V': act('locked the screen'),
  [`resetPassword(${S}I)Z`]: act("changed the screen lock's password"),
  'wipeData(I)V': act('wiped the phone'),
  'setStorageEncryption(Landroid/content/ComponentName;Z)I': act('asked for the storage to be encrypted'),
  'setCameraDisabled(Landroid/content/ComponentName;Z)V': nothing,
  'removeActiveAdmin(Landroid/content/ComponentName;)V': (machine) =>
    appOf(machine).allowed.delete('android.app.action.ADD_DEVICE_ADMIN'),
  [`isDeviceOwnerApp(${S})Z`]: no,
  [`isProfileOwnerApp(${S})Z`]: no,
  'getActiveAdmins()Ljava/util/List;': (machine) => listOf(machine, []),
  'isActivePasswordSufficient()Z': yes,
  ...each(
    nothing,
    'setPasswordQuality(Landroid/content/ComponentName;I)V',
    'setPasswordMinimumLength(Landroid/content/ComponentName;I)V',
    'setMaximumTimeToLock(Landroid/content/ComponentName;J)V',
    'setMaximumFailedPasswordsForWipe(Landroid/content/ComponentName;I)V',
    'setKeyguardDisabledFeatures(Landroid/content/ComponentName;I)V',
  ),
};

export const devicePolicyModels: Models = {
  [managerType]: { methods: policyMethods },
  'Landroid/app/admin/DeviceAdminReceiver;': {
    extends: 'Landroid/content/BroadcastReceiver;',
    methods: {
      'getManager(Landroid/content/Context;)Landroid/app/admin/DevicePolicyManager;': (machine) =>
        singleton(machine, managerType),
      'getWho(Landroid/content/Context;)Landroid/content/ComponentName;': (machine, me) =>
        newComponentName(machine, componentFrom(machine, appOf(machine).packageName, me.cls.name)),
      ...each(
        nothing,
        'onEnabled(Landroid/content/Context;Landroid/content/Intent;)V',
        'onDisabled(Landroid/content/Context;Landroid/content/Intent;)V',
        'onPasswordChanged(Landroid/content/Context;Landroid/content/Intent;)V',
        'onPasswordFailed(Landroid/content/Context;Landroid/content/Intent;)V',
      ),
      'onDisableRequested(Landroid/content/Context;Landroid/content/Intent;)Ljava/lang/CharSequence;': none,
      'onReceive(Landroid/content/Context;!Landroid/content/Intent;)V': (
        machine,
        me,
        context: Reference,
        intent: HeapObject,
      ) => {
        const action = plain(machine, intentOf(intent).action);
        const names: Readonly<Record<string, string>> = {
          'android.app.action.DEVICE_ADMIN_ENABLED': 'onEnabled',
          'android.app.action.DEVICE_ADMIN_DISABLED': 'onDisabled',
          'android.app.action.ACTION_PASSWORD_CHANGED': 'onPasswordChanged',
        };
        const name = names[action];
        if (name !== undefined)
          machine.call(me, `${name}(Landroid/content/Context;Landroid/content/Intent;)V`, context, intent);
        if (action === 'android.app.action.DEVICE_ADMIN_DISABLE_REQUESTED') {
          machine.call(
            me,
            'onDisableRequested(Landroid/content/Context;Landroid/content/Intent;)Ljava/lang/CharSequence;',
            context,
            intent,
          );
        }
      },
    },
  },
};
