// Whose native methods a library registers: told by what the app's classes declare. Knows no instruction.
import { classData } from '../../formats/dex/class-data.ts';
import type { RegisteredTable } from '../../formats/elf/registered-methods.ts';
import type { OpenedApp } from '../opened-app.ts';

const isNative = 0x100;
/** Classes that are told apart for one table. */
const maxClasses = 1000;

/** Classes by the name and descriptor of the native methods that they declare. */
type Declared = ReadonlyMap<string, ReadonlySet<string>>;

const known = new WeakMap<OpenedApp, Declared>();

function declaredIn(app: OpenedApp): Declared {
  const declared = new Map<string, Set<string>>();
  for (const dex of app.dexes) {
    for (let index = 0; index < dex.classCount; index++) {
      const { directMethods, virtualMethods } = classData(dex, index);
      for (const { methodIndex, accessFlags } of [...directMethods, ...virtualMethods]) {
        if ((accessFlags & isNative) === 0) continue;
        const key = `${dex.methodName(methodIndex)}${dex.methodDescriptor(methodIndex)}`;
        const classes = declared.get(key) ?? new Set();
        declared.set(key, classes.add(dex.className(index)));
      }
    }
  }
  return declared;
}

/**
 * For each method of a table the class that declares it: the one that declares all those beside it; of several the one
 * that the library names. Tables of several classes may stand one behind the other.
 * @param bytes of the library
 * @returns null where that leaves none or several
 */
export function classesOfTable(app: OpenedApp, table: RegisteredTable, bytes: Uint8Array): (string | null)[] {
  const declared = known.get(app) ?? declaredIn(app);
  known.set(app, declared);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: (string | null)[] = [];
  let classes: string[] = [];
  let length = 0;
  const end = () => {
    const named = classes.length < 2 ? classes : classes.filter((name) => text.includes(`${name.slice(1, -1)}\0`));
    const owner = named.length === 1 ? named[0]! : null;
    for (; length > 0; length--) found.push(owner);
  };
  for (const { name, descriptor } of table) {
    const declaring = declared.get(`${name}${descriptor}`) ?? new Set<string>();
    const shared = classes.filter((one) => declaring.has(one));
    if (shared.length === 0) {
      end();
      classes = [...declaring].slice(0, maxClasses);
    } else classes = shared;
    length += 1;
  }
  end();
  return found;
}
