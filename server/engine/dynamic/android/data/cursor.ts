// Models of Cursor: rows of values with their taint. Knows no database and no provider.
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, flag, listOf, no, none, nothing, plain, type Reference } from '../model-parts.ts';

export interface Cell {
  readonly value: string | number | bigint | Uint8Array | null;
  readonly taint: Taint;
}

interface CursorState {
  readonly columns: readonly string[];
  readonly rows: Cell[][];
  at: number;
  isClosed: boolean;
  /** Taint of the query itself: the number of rows depends on it. */
  readonly taint: Taint;
}

const cursorOf = (cursor: HeapObject): CursorState => cursor.native as CursorState;

export function newCursor(machine: Machine, columns: readonly string[], rows: Cell[][], taint: Taint = 0): HeapObject {
  const cursor = machine.allocate('Landroid/database/MatrixCursor;');
  fillCursor(machine, cursor, columns, rows, taint);
  return cursor;
}

export function fillCursor(
  machine: Machine,
  cursor: HeapObject,
  columns: readonly string[],
  rows: Cell[][],
  taint: Taint = 0,
): void {
  machine.charge(rows.length * columns.length * 32);
  cursor.native = { columns, rows, at: -1, isClosed: false, taint } satisfies CursorState;
}

const cell = (machine: Machine, me: HeapObject, index: number): Cell => {
  const { rows, at, columns } = cursorOf(me);
  const row = rows[at];
  if (row === undefined) {
    throw machine.exception(
      'Landroid/database/CursorIndexOutOfBoundsException;',
      `Index ${at} requested, with a size of ${rows.length}`,
    );
  }
  if (index < 0 || index >= columns.length) {
    throw machine.exception(
      'Ljava/lang/IllegalStateException;',
      `Couldn't read row ${at}, col ${index} from CursorWindow.`,
    );
  }
  return row[index]!;
};

const move =
  (target: (state: CursorState, argument: number) => number): NativeMethod =>
  (_machine, me, argument = 0) => {
    const state = cursorOf(me);
    state.at = Math.max(-1, Math.min(state.rows.length, target(state, argument)));
    return flag(state.at >= 0 && state.at < state.rows.length);
  };

const number =
  (convert: (value: number | bigint) => number | bigint): NativeMethod =>
  (machine, me, index: number) => {
    const { value, taint } = cell(machine, me, index);
    if (taint !== 0) machine.setResultTaint(taint);
    const parsed =
      typeof value === 'number' || typeof value === 'bigint'
        ? value
        : Number(value === null || value instanceof Uint8Array ? 0 : value);
    return convert(typeof parsed === 'number' && Number.isNaN(parsed) ? 0 : parsed);
  };

const columnIndex = (me: HeapObject, name: string): number => {
  const { columns } = cursorOf(me);
  const wanted = name.replace(/^.*\./, '').toLowerCase();
  return columns.findIndex((column) => column.toLowerCase() === wanted);
};

const cursorMethods: NativeMethods = {
  'getCount()I': (_machine, me) => cursorOf(me).rows.length,
  'getPosition()I': (_machine, me) => cursorOf(me).at,
  'moveToFirst()Z': move(() => 0),
  'moveToLast()Z': move(({ rows }) => rows.length - 1),
  'moveToNext()Z': move(({ at }) => at + 1),
  'moveToPrevious()Z': move(({ at }) => at - 1),
  'moveToPosition(I)Z': move((_state, position) => position),
  'move(I)Z': move(({ at }, offset) => at + offset),
  'isFirst()Z': (_machine, me) => cursorOf(me).at === 0,
  'isLast()Z': (_machine, me) => cursorOf(me).at === cursorOf(me).rows.length - 1,
  'isBeforeFirst()Z': (_machine, me) => cursorOf(me).at < 0,
  'isAfterLast()Z': (_machine, me) => cursorOf(me).at >= cursorOf(me).rows.length,
  'isClosed()Z': (_machine, me) => cursorOf(me).isClosed,
  'close()V': (_machine, me) => {
    cursorOf(me).isClosed = true;
  },
  'getColumnCount()I': (_machine, me) => cursorOf(me).columns.length,
  'getColumnName(I)Ljava/lang/String;': (machine, me, index: number) =>
    machine.string(cursorOf(me).columns[index] ?? ''),
  'getColumnNames()[Ljava/lang/String;': (machine, me) =>
    machine.objectArray(
      'Ljava/lang/String;',
      cursorOf(me).columns.map((column) => machine.string(column)),
    ),
  'getColumnIndex(Ljava/lang/String;)I': (machine, me, name: Reference) => columnIndex(me, plain(machine, name)),
  'getColumnIndexOrThrow(Ljava/lang/String;)I': (machine, me, name: Reference) => {
    const index = columnIndex(me, plain(machine, name));
    if (index < 0)
      throw machine.exception(
        'Ljava/lang/IllegalArgumentException;',
        `column '${plain(machine, name)}' does not exist`,
      );
    return index;
  },
  'getString(I)Ljava/lang/String;': (machine, me, index: number) => {
    const { value, taint } = cell(machine, me, index);
    return value === null
      ? null
      : machine.string(value instanceof Uint8Array ? Buffer.from(value).toString() : String(value), taint);
  },
  'getBlob(I)[B': (machine, me, index: number) => {
    const { value, taint } = cell(machine, me, index);
    return value === null
      ? null
      : machine.byteArray(value instanceof Uint8Array ? value : Buffer.from(String(value)), taint);
  },
  'getInt(I)I': number((value) => Number(value) | 0),
  'getShort(I)S': number((value) => (Number(value) << 16) >> 16),
  'getLong(I)J': number((value) => (typeof value === 'bigint' ? value : BigInt(Math.trunc(value)))),
  'getFloat(I)F': number((value) => Math.fround(Number(value))),
  'getDouble(I)D': number(Number),
  'isNull(I)Z': (machine, me, index: number) => cell(machine, me, index).value === null,
  'getType(I)I': (machine, me, index: number) => {
    const { value } = cell(machine, me, index);
    return value === null
      ? 0
      : typeof value === 'string'
        ? 3
        : value instanceof Uint8Array
          ? 4
          : Number.isInteger(Number(value))
            ? 1
            : 2;
  },
  ...each(
    nothing,
    'deactivate()V',
    'registerContentObserver(Landroid/database/ContentObserver;)V',
    'unregisterContentObserver(Landroid/database/ContentObserver;)V',
    'registerDataSetObserver(Landroid/database/DataSetObserver;)V',
    'unregisterDataSetObserver(Landroid/database/DataSetObserver;)V',
    'setNotificationUri(Landroid/content/ContentResolver;Landroid/net/Uri;)V',
  ),
  'requery()Z': () => 1,
  'getWantsAllOnMoveCalls()Z': no,
  'getExtras()Landroid/os/Bundle;': none,
};

const observe = 'onChange(ZLandroid/net/Uri;)V';

const build: NativeMethod = (machine, me, columns: JavaArray) => {
  const names = (columns.elements as Reference[]).map((name) => plain(machine, name));
  me.native = { columns: names, rows: [], at: -1, isClosed: false, taint: 0 } satisfies CursorState;
};

/** A value of the app's as a cell. */
export function cellOf(machine: Machine, value: Value): Cell {
  if (value === null) return { value: null, taint: 0 };
  if (typeof value !== 'object') return { value, taint: 0 };
  const number = machine.unbox(value);
  const taint = machine.deepTaint(value);
  if (number !== null) return { value: number, taint };
  if (value.cls.descriptor === '[B') {
    const { elements } = value as JavaArray;
    const bytes = elements as Int8Array;
    return { value: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length).slice(), taint };
  }
  return { value: machine.toText(value).text, taint };
}

/** Observers of the framework's, kept where apps' subclasses look for them. */
const observable: ModelClass = {
  fields: ['mObservers:Ljava/util/ArrayList;'],
  methods: {
    '<init>()V': (machine, me) => machine.setField(me, 'mObservers', listOf(machine, [])),
    'registerObserver(Ljava/lang/Object;)V': (machine, me, observer: Value) => {
      machine.call(machine.getField(me, 'mObservers') as HeapObject, 'add(Ljava/lang/Object;)Z', observer);
    },
    'unregisterObserver(Ljava/lang/Object;)V': (machine, me, observer: Value) => {
      machine.call(machine.getField(me, 'mObservers') as HeapObject, 'remove(Ljava/lang/Object;)Z', observer);
    },
    'unregisterAll()V': (machine, me) => machine.call(machine.getField(me, 'mObservers') as HeapObject, 'clear()V'),
  },
};

/** A cursor before another one, to which it passes everything on. */
const wrapperType = 'Landroid/database/CursorWrapper;';

const passingOn = (signatures: readonly string[]): NativeMethods =>
  Object.fromEntries(
    signatures.map((signature) => [
      signature,
      (machine: Machine, me: HeapObject, ...args: Value[]) => machine.call(me.native as HeapObject, signature, ...args),
    ]),
  );

export const cursorModels: Models = {
  [wrapperType]: {
    implements: ['Landroid/database/Cursor;'],
    methods: {
      ...passingOn(Object.keys(cursorMethods).filter((signature) => !signature.startsWith('<'))),
      '<init>(!Landroid/database/Cursor;)V': (_machine, me, cursor: HeapObject) => {
        me.native = cursor;
      },
      'getWrappedCursor()Landroid/database/Cursor;': (_machine, me) => me.native as HeapObject,
    },
  },
  'Landroid/database/Cursor;': {
    isInterface: true,
    implements: ['Ljava/io/Closeable;'],
    abstractMethods: Object.keys(cursorMethods),
  },
  'Landroid/database/CursorIndexOutOfBoundsException;': { extends: 'Ljava/lang/IndexOutOfBoundsException;' },
  'Landroid/database/SQLException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Landroid/database/sqlite/SQLiteException;': { extends: 'Landroid/database/SQLException;' },
  'Landroid/database/AbstractCursor;': { implements: ['Landroid/database/Cursor;'], methods: cursorMethods },
  'Landroid/database/MatrixCursor;': {
    extends: 'Landroid/database/AbstractCursor;',
    methods: {
      '<init>(![Ljava/lang/String;)V': build,
      '<init>(![Ljava/lang/String;I)V': build,
      'addRow(![Ljava/lang/Object;)V': (machine, me, values: JavaArray) =>
        cursorOf(me).rows.push((values.elements as Reference[]).map((value) => cellOf(machine, value))),
    },
  },
  'Landroid/database/ContentObserver;': {
    // The longer overload calls the shorter one; apps override either.
    methods: {
      ...each(nothing, '<init>(Landroid/os/Handler;)V', 'onChange(Z)V'),
      'deliverSelfNotifications()Z': no,
      [observe]: (machine, me, isOwn: number) => machine.call(me, 'onChange(Z)V', isOwn),
      'onChange(ZLandroid/net/Uri;I)V': (machine, me, isOwn: number, uri: Reference) =>
        machine.call(me, observe, isOwn, uri),
      'dispatchChange(ZLandroid/net/Uri;)V': (machine, me, isOwn: number, uri: Reference) =>
        machine.call(me, observe, isOwn, uri),
    },
  },
  'Landroid/database/Observable;': observable,
};
