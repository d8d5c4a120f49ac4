// Models of DevicePolicyManager: what an app does once the owner has put it in charge. Knows no screen that asks.
import type { Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { appOf } from './app.ts';
import { each, flag, listOf, no, nothing, yes } from './model-parts.ts';

const S = 'Ljava/lang/String;';

const act =
  (what: string): NativeMethod =>
  (machine) => {
    recorderOf(machine).event('device-admin', what);
    return 1;
  };

const policyMethods: NativeMethods = {
  'isAdminActive(Landroid/content/ComponentName;)Z': (machine) =>
    flag(appOf(machine).allowed.has('android.app.action.ADD_DEVICE_ADMIN')),
  'lockNow()V': (machine) => void act('locked the screen')(machine) as undefined,
  [`resetPassword(${S}I)Z`]: act("changed the screen lock's password"),
  'wipeData(I)V': (machine) => void act('wiped the phone')(machine) as undefined,
  'setCameraDisabled(Landroid/content/ComponentName;Z)V': nothing,
  'removeActiveAdmin(Landroid/content/ComponentName;)V': (machine) => {
    appOf(machine).allowed.delete('android.app.action.ADD_DEVICE_ADMIN');
  },
  [`isDeviceOwnerApp(${S})Z`]: no,
  [`isProfileOwnerApp(${S})Z`]: no,
  'getActiveAdmins()Ljava/util/List;': (machine) => listOf(machine, []),
  'isActivePasswordSufficient()Z': yes,
  ...each(
    nothing,
    'setPasswordQuality(Landroid/content/ComponentName;I)V',
    'setPasswordMinimumLength(Landroid/content/ComponentName;I)V',
    'setMaximumTimeToLock(Landroid/content/ComponentName;J)V',
  ),
};

export const devicePolicyModels: Models = {
  'Landroid/app/admin/DevicePolicyManager;': { methods: policyMethods },
};
