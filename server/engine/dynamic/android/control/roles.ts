// Model of RoleManager: an app asks to be the phone's own for messages, calls, the home screen. Knows no screen that asks.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models } from '../../machine/model.ts';
import { appOf, type Permit } from '../components/app.ts';
import { newIntent } from '../components/intent-state.ts';
import { flag, plain, type Reference, yes } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const smsRole = 'android.app.role.SMS';
/** The older screen for the same request, which `App.smsApp` reads. */
const smsScreen: Permit = 'android.provider.Telephony.ACTION_CHANGE_DEFAULT';

export const roleModels: Models = {
  'Landroid/app/role/RoleManager;': {
    methods: {
      [`isRoleAvailable(${S})Z`]: yes,
      [`isRoleHeld(${S})Z`]: (machine, _me: HeapObject, role: Reference) =>
        flag(plain(machine, role) === smsRole && appOf(machine).allowed.has(smsScreen)),
      [`createRequestRoleIntent(${S})Landroid/content/Intent;`]: (machine, _me: HeapObject, role: Reference) => {
        const screen = plain(machine, role) === smsRole ? smsScreen : 'android.app.role.action.REQUEST_ROLE';
        return newIntent(machine, { action: machine.string(screen) });
      },
    },
  },
};
