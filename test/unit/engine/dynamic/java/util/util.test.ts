// Collections, maps, iterators, streams and codecs as the Java reference describes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JavaObject, Phone, type Plain } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, get, make } = phone;

const listOf = (...elements: Plain[]): JavaObject => {
  const list = make('java.util.ArrayList');
  for (const element of elements) list.call('add(Ljava/lang/Object;)Z', element);
  return list;
};
const put = (map: JavaObject, entries: Readonly<Record<string, Plain>>): JavaObject => {
  for (const [key, value] of Object.entries(entries)) map.call('put', key, value);
  return map;
};

test('an ArrayList inserts, removes by index and by element, and checks its bounds', () => {
  const list = listOf('a', 'b', 'c');
  list.call('add', 1, 'x');
  assert.equal(list.call('remove(I)Ljava/lang/Object;', 0), 'a');
  assert.equal(list.call('remove(Ljava/lang/Object;)Z', 'c'), true);
  assert.equal(list.call('set', 0, 'y'), 'x');
  assert.deepEqual(list.elements, ['y', 'b']);
  assert.equal(String(list), '[y, b]');
  assert.equal(list.call('equals', get('java.util.Arrays.asList', ['y', 'b'])), true);
  assert.throws(() => list.call('get', 2), { message: /IndexOutOfBoundsException: Index: 2, Size: 2/ });
});

test('a view of a list writes through, and one that cannot change refuses', () => {
  const list = listOf('a', 'b', 'c');
  list.get('subList', 1, 3).call('clear');
  assert.deepEqual(list.elements, ['a']);
  assert.throws(() => get('java.util.Collections.unmodifiableList', list).call('add', 'z'), {
    message: /^java\.lang\.UnsupportedOperationException/,
  });
  assert.throws(() => get('java.util.Arrays.asList', ['a']).call('add', 'z'), {
    message: /^java\.lang\.UnsupportedOperationException/,
  });
});

test('an iterator fails where the list changed beside it', () => {
  const list = listOf('a', 'b');
  const iterator = list.get('iterator');
  iterator.call('next');
  iterator.call('remove');
  assert.deepEqual(list.elements, ['b']);
  list.call('add', 'c');
  assert.throws(() => iterator.call('next'), { message: /^java\.util\.ConcurrentModificationException/ });
});

test('a HashMap takes null, a LinkedHashMap keeps order, a TreeMap sorts', () => {
  const map = make('java.util.HashMap');
  assert.equal(map.call('put', null, 'n'), null);
  assert.equal(map.call('put', null, 'm'), 'n');
  assert.equal(map.call('get', null), 'm');
  assert.equal(map.call('getOrDefault', 'none', 'd'), 'd');
  assert.equal(map.call('putIfAbsent', null, 'x'), 'm');
  assert.deepEqual(put(make('java.util.LinkedHashMap'), { b: 1, a: 2 }).elements, [
    ['b', 1],
    ['a', 2],
  ]);
  const sorted = put(make('java.util.TreeMap'), { b: 1, a: 2, c: 3 });
  assert.deepEqual(sorted.elements, [
    ['a', 2],
    ['b', 1],
    ['c', 3],
  ]);
  assert.equal(sorted.call('firstKey'), 'a');
  assert.equal(sorted.call('ceilingKey', 'bb'), 'c');
  assert.deepEqual(sorted.get('headMap', 'b').elements, [['a', 2]]);
  assert.throws(() => sorted.call('put', null, 1), { message: /^java\.lang\.NullPointerException/ });
});

test('a Hashtable takes no null, a HashSet no element twice', () => {
  assert.throws(() => make('java.util.Hashtable').call('put', null, 'v'), {
    message: /^java\.lang\.NullPointerException/,
  });
  const set = make('java.util.HashSet');
  assert.equal(set.call('add', 'a'), true);
  assert.equal(set.call('add', 'a'), false);
  assert.equal(set.call('size'), 1);
});

test('deques and priority queues give from the right end', () => {
  const deque = make('java.util.ArrayDeque');
  deque.call('addLast', 'b');
  deque.call('push', 'a');
  assert.equal(deque.call('peekLast'), 'b');
  assert.equal(deque.call('pop'), 'a');
  assert.equal(deque.call('pollFirst'), 'b');
  assert.equal(deque.call('poll'), null);
  assert.throws(() => deque.call('removeFirst'), { message: /^java\.util\.NoSuchElementException/ });
  const queue = make('java.util.PriorityQueue');
  for (const number of [3, 1, 2]) queue.call('add', number);
  assert.deepEqual([queue.call('poll'), queue.call('poll'), queue.call('poll')], [1, 2, 3]);
});

test('Collections and Arrays sort, search and fill', () => {
  const list = listOf('b', 'c', 'a');
  call('java.util.Collections.sort(Ljava/util/List;)V', list);
  assert.deepEqual(list.elements, ['a', 'b', 'c']);
  assert.equal(call('java.util.Collections.binarySearch', list, 'bb'), -3);
  assert.equal(call('java.util.Collections.max', list), 'c');
  call('java.util.Collections.reverse', list);
  assert.deepEqual(list.elements, ['c', 'b', 'a']);
  assert.equal(call('java.util.Arrays.toString([I)Ljava/lang/String;', [1, 2]), '[1, 2]');
  assert.deepEqual(call('java.util.Arrays.copyOfRange([BII)[B', Buffer.from('abc'), 1, 4), Buffer.from('bc\0'));
  assert.equal(call('java.util.Arrays.hashCode([I)I', [1, 2]), 994);
  assert.equal(call('java.util.Arrays.equals([B[B)Z', Buffer.from('a'), null), false);
  assert.throws(() => call('java.util.Arrays.copyOf([BI)[B', null, 1), {
    message: /^java\.lang\.NullPointerException/,
  });
});

test('streams filter, map and collect by code of the app', () => {
  const upper = phone.implement('java.util.function.Function', {
    'apply(Ljava/lang/Object;)Ljava/lang/Object;': (value) => String(value).toUpperCase(),
  });
  const isLong = phone.implement('java.util.function.Predicate', {
    'test(Ljava/lang/Object;)Z': (value) => String(value).length > 1,
  });
  const stream = listOf('a', 'bb', 'cc').get('stream').get('filter', isLong).get('map', upper);
  const joined = stream.call('collect', get('java.util.stream.Collectors.joining', '-'));
  assert.equal(joined, 'BB-CC');
  assert.equal(listOf(1, 2, 3).get('stream').call('count'), 3n);
});

test('java.util.Base64 knows its alphabets and refuses others', () => {
  const encoder = get('java.util.Base64.getEncoder');
  assert.equal(encoder.call('encodeToString', Buffer.from('a?>b')), 'YT8+Yg==');
  assert.equal(
    get('java.util.Base64.getUrlEncoder').get('withoutPadding').call('encodeToString', Buffer.from('a?>b')),
    'YT8-Yg',
  );
  assert.deepEqual(get('java.util.Base64.getDecoder').call('decode', 'YT8+Yg=='), Buffer.from('a?>b'));
  assert.throws(() => get('java.util.Base64.getDecoder').call('decode', 'YT8-Yg'), {
    message: /^java\.lang\.IllegalArgumentException/,
  });
  assert.deepEqual(get('java.util.Base64.getMimeDecoder').call('decode', 'YT8+\r\nYg=='), Buffer.from('a?>b'));
});

test('a UUID is read, written and made of a name', () => {
  const text = '01234567-89ab-cdef-0123-456789abcdef';
  assert.equal(String(get('java.util.UUID.fromString', text)), text);
  assert.equal(
    String(get('java.util.UUID.nameUUIDFromBytes', Buffer.from('hello'))),
    '5d41402a-bc4b-3a76-b971-9d911017c592',
  );
});

test('a Random of a seed gives the numbers of Java', () => {
  const random = make('java.util.Random', 42n);
  assert.deepEqual([random.call('nextInt(I)I', 10), random.call('nextInt(I)I', 10)], [0, 3]);
  assert.equal(make('java.util.Random', 0n).call('nextInt()I'), -1155484576);
});

test('a Calendar carries over, and months count from 0', () => {
  const calendar = make('java.util.GregorianCalendar', 2024, 0, 31);
  calendar.call('add', 2, 1);
  assert.equal(calendar.call('get', 5), 29);
  assert.equal(calendar.call('get', 2), 1);
  assert.equal(calendar.call('get', 7), 5);
  assert.equal(calendar.call('getActualMaximum', 5), 29);
});

test('a StringTokenizer, a Scanner and Properties take texts apart', () => {
  const tokens = make('java.util.StringTokenizer', 'a b,c', ' ,');
  assert.equal(tokens.call('countTokens'), 3);
  assert.equal(tokens.call('nextToken'), 'a');
  const scanner = make('java.util.Scanner', '12 ab\nrest of it');
  assert.equal(scanner.call('nextInt()I'), 12);
  assert.equal(scanner.call('next()Ljava/lang/String;'), 'ab');
  const properties = make('java.util.Properties');
  properties.call('load', make('java.io.ByteArrayInputStream', Buffer.from('# note\na = 1\nb:two\\u0041\n')));
  assert.equal(properties.call('getProperty', 'a'), '1');
  assert.equal(properties.call('getProperty', 'b'), 'twoA');
  assert.equal(properties.call('getProperty', 'c', 'd'), 'd');
});

test('Objects.requireNonNull refuses null with its message', () => {
  assert.equal(call('java.util.Objects.hash', [1, 2]), 994);
  assert.equal(call('java.util.Objects.equals', null, null), true);
  assert.throws(() => call('java.util.Objects.requireNonNull', null, 'it is null'), {
    message: 'java.lang.NullPointerException: it is null',
  });
});
