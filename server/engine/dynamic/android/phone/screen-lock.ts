// Models of the lock of the screen and of the user it is locked for. Knows no screen.
import type { Models } from '../../machine/model.ts';
import { each, no, nothing, yes } from '../model-parts.ts';

const S = 'Ljava/lang/String;';

const lockMethods = {
  'isKeyguardLocked()Z': no,
  'isKeyguardSecure()Z': yes,
  'inKeyguardRestrictedInputMode()Z': no,
  'isDeviceLocked()Z': no,
  'isDeviceSecure()Z': yes,
};

export const screenLockModels: Models = {
  'Landroid/app/KeyguardManager;': {
    methods: {
      ...lockMethods,
      [`newKeyguardLock(${S})Landroid/app/KeyguardManager$KeyguardLock;`]: (machine) =>
        machine.allocate('Landroid/app/KeyguardManager$KeyguardLock;'),
    },
  },
  'Landroid/app/KeyguardManager$KeyguardLock;': { methods: each(nothing, 'disableKeyguard()V', 'reenableKeyguard()V') },
  'Landroid/os/UserManager;': { methods: { 'isUserUnlocked()Z': yes, 'isSystemUser()Z': yes, 'isUserAGoat()Z': no } },
};
