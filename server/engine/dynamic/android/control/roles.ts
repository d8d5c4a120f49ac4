import type { Models } from '../../machine/model.ts';
import { appOf, type Permit } from '../components/app.ts';
import { newIntent } from '../components/intent-state.ts';
import { plain, type Reference, yes } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const smsRole = 'android.app.role.SMS';
/** The older screen for the same request, which `App.smsApp` reads. */
const smsScreen: Permit = 'android.provider.Telephony.ACTION_CHANGE_DEFAULT';

export const roleModels: Models = {
  'Landroid/app/role/RoleManager;': {
    methods: {
      [`isRoleAvailable(${S})Z`]: yes,
      [`isRoleHeld(${S})Z`]: (machine, _me, role: Reference) =>
        plain(machine, role) === smsRole && appOf(machine).allowed.has(smsScreen),
      [`createRequestRoleIntent(${S})Landroid/content/Intent;`]: (machine, _me, role: Reference) => {
        const screen = plain(machine, role) === smsRole ? smsScreen : 'android.app.role.action.REQUEST_ROLE';
        return newIntent(machine, { action: machine.string(screen) });
      },
    },
  },
};
