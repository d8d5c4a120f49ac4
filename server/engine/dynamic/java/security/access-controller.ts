// Model of AccessController: everything is allowed, so that what is to be done with privileges is done.
import type { HeapObject } from '../../machine/heap.ts';
import type { Models, StaticMethod } from '../../machine/model.ts';

const object = 'Ljava/lang/Object;';
const context = 'Ljava/security/AccessControlContext;';

const run: StaticMethod = (machine, action: HeapObject) => machine.call(action, `run()${object}`);

export const accessControllerModels: Models = {
  'Ljava/security/PrivilegedAction;': { isInterface: true, abstractMethods: [`run()${object}`] },
  'Ljava/security/PrivilegedExceptionAction;': { isInterface: true, abstractMethods: [`run()${object}`] },
  'Ljava/security/AccessController;': {
    staticMethods: {
      ...Object.fromEntries(
        ['Ljava/security/PrivilegedAction;', 'Ljava/security/PrivilegedExceptionAction;'].flatMap((action) => [
          [`doPrivileged(!${action})${object}`, run],
          [`doPrivileged(!${action}${context})${object}`, run],
        ]),
      ),
      [`getContext()${context}`]: (machine) => machine.allocate(context),
      'checkPermission(Ljava/security/Permission;)V': () => undefined,
    },
  },
};
