// Models of AccountManager: who is logged in. Knows no provider of accounts.
import { illegalArgument } from '../../java/values.ts';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { accounts } from '../../world/people.ts';
import { newBundle } from '../components/bundle.ts';
import { each, no, none, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';
const futureType = 'Landroid/accounts/AccountManagerFutureImpl;';
const futureInterface = 'Landroid/accounts/AccountManagerFuture;';
const callbackType = 'Landroid/accounts/AccountManagerCallback;';

const accountsOf = (machine: Machine, type: string | null): HeapObject => {
  const taint = machine.source('TAINT_ACCOUNT', 'AccountManager.getAccounts');
  const found = accounts
    .filter((each) => type === null || each.type === type)
    .map(({ name, type: kind }) => {
      const account = machine.allocate('Landroid/accounts/Account;');
      account.taint = taint;
      machine.setField(account, 'name', machine.string(name, taint));
      machine.setField(account, 'type', machine.string(kind, taint));
      return account;
    });
  return machine.objectArray('Landroid/accounts/Account;', found);
};

/** What the system hands out for an account; the owner has agreed. */
const authToken: NativeMethod = (machine, _me, account: Reference) => {
  if (account === null) throw illegalArgument(machine, 'account is null');
  const taint = machine.source('TAINT_ACCOUNT', 'AccountManager.getAuthToken');
  const future = machine.allocate(futureType);
  const entries = [
    ['authtoken', machine.string('ya29.GlsBB4c', taint)],
    ['authAccount', machine.getField(account, 'name')],
    ['accountType', machine.getField(account, 'type')],
  ] as const;
  future.native = newBundle(machine, new Map(entries.map(([name, value]) => [name, { kind: 'L', value, taint }])));
  return future;
};

const futureResult: NativeMethod = (_machine, me) => me.native as HeapObject;

const accountMethods: NativeMethods = {
  'getAccounts()[Landroid/accounts/Account;': (machine) => accountsOf(machine, null),
  [`getAccountsByType(${S})[Landroid/accounts/Account;`]: (machine, _me, type: Reference) =>
    accountsOf(machine, type === null ? null : plain(machine, type)),
  [`getPassword(Landroid/accounts/Account;)${S}`]: (machine) =>
    machine.string('Sommer!2019', machine.source('TAINT_PASSWORD', 'AccountManager.getPassword')),
  [`peekAuthToken(Landroid/accounts/Account;${S})${S}`]: (machine) =>
    machine.string('ya29.GlsBB4c', machine.source('TAINT_ACCOUNT', 'AccountManager.peekAuthToken')),
  ...each(
    authToken,
    `getAuthToken(Landroid/accounts/Account;${S}Landroid/os/Bundle;Landroid/app/Activity;${callbackType}Landroid/os/Handler;)${futureInterface}`,
    `getAuthToken(Landroid/accounts/Account;${S}Landroid/os/Bundle;Z${callbackType}Landroid/os/Handler;)${futureInterface}`,
    `getAuthToken(Landroid/accounts/Account;${S}Z${callbackType}Landroid/os/Handler;)${futureInterface}`,
  ),
  [`blockingGetAuthToken(Landroid/accounts/Account;${S}Z)${S}`]: (machine) =>
    machine.string('ya29.GlsBB4c', machine.source('TAINT_ACCOUNT', 'AccountManager.blockingGetAuthToken')),
  [`getUserData(Landroid/accounts/Account;${S})${S}`]: none,
  [`addAccountExplicitly(Landroid/accounts/Account;${S}Landroid/os/Bundle;)Z`]: yes,
};

export const accountModels: Models = {
  'Landroid/accounts/AccountManager;': {
    methods: accountMethods,
    staticMethods: {
      'get(Landroid/content/Context;)Landroid/accounts/AccountManager;': (machine) =>
        singleton(machine, 'Landroid/accounts/AccountManager;'),
    },
  },
  [futureInterface]: { isInterface: true },
  [futureType]: {
    implements: [futureInterface],
    methods: {
      ...each(
        futureResult,
        'getResult()Ljava/lang/Object;',
        'getResult(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;',
      ),
      ...each(yes, 'isDone()Z'),
      ...each(no, 'isCancelled()Z', 'cancel(Z)Z'),
    },
  },
  'Landroid/accounts/Account;': {
    fields: ['name:Ljava/lang/String;', 'type:Ljava/lang/String;'],
    methods: {
      [`<init>(${S}${S})V`]: (machine, me, name: Reference, type: Reference) => {
        machine.setField(me, 'name', name);
        machine.setField(me, 'type', type);
      },
      'toString()Ljava/lang/String;': (machine, me) =>
        machine.string(`Account {name=${plain(machine, machine.getField(me, 'name') as Reference)}}`, me.taint),
    },
  },
};
