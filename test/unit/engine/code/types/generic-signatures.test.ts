import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  classSignature,
  fieldSignature,
  type GenericType,
  methodSignature,
} from '../../../../../server/engine/code/types/generic-signatures.ts';
import { erasure, noVariables } from '../../../../../server/engine/code/types/generic-types.ts';

/** A type as Java says it, with the whole names of classes. */
function text(type: GenericType): string {
  if (type.kind === 'variable') return type.name;
  if (type.kind === 'array') return `${text(type.element)}[]`;
  if (type.kind === 'primitive') return type.descriptor;
  const given = type.arguments.map((each) =>
    each.kind === 'any' ? '?' : each.kind === 'exact' ? text(each.type) : `? ${each.kind} ${text(each.type)}`,
  );
  return type.descriptor.slice(1, -1) + (given.length === 0 ? '' : `<${given.join(', ')}>`);
}

function said(signature: string): string {
  const { parameters, superclass, interfaces } = classSignature(signature)!;
  const variables = parameters.map(({ name, bounds }) => [name, ...bounds.map(text)].join(' '));
  return [variables.join(', '), text(superclass), ...interfaces.map(text)].join('; ');
}

// The signatures as `javap -v` of JDK 17 shows them, what they say as `javap` does.
test('a signature of a class gives its variables with their bounds, and what it extends and implements for which types', () => {
  assert.equal(
    said('<K:Ljava/lang/Enum<TK;>;V:Ljava/lang/Object;>Ljava/util/AbstractMap<TK;TV;>;Ljava/io/Serializable;'),
    'K java/lang/Enum<K>, V java/lang/Object; java/util/AbstractMap<K, V>; java/io/Serializable',
  );
  assert.equal(
    said('Ljava/lang/Object;Ljava/util/Comparator<[[B>;'),
    '; java/lang/Object; java/util/Comparator<B[][]>',
  );
  assert.equal(
    said('Ljava/lang/Object;La/B<*-La/C;+[I[[TT;>;'),
    '; java/lang/Object; a/B<?, ? super a/C, ? extends I[], T[][]>',
  );
  assert.equal(said('<T::La/B;:La/C<TT;>;U:TT;>La/D;'), 'T a/B a/C<T>, U T; a/D');
  assert.equal(said('La/Outer<La/B;>.Inner<La/C;>.Most;'), '; a/Outer$Inner$Most<a/C, a/B>');
});

test('the erasure of a type has no arguments, that of a variable is its bound', () => {
  const [first, second] = classSignature('La/B;La/C<La/D<La/E;>;>;La/F<[TT;>;')!.interfaces.map(
    ({ arguments: [given] }) => (given?.kind === 'exact' ? erasure(given.type, noVariables) : undefined),
  );
  assert.deepEqual([first, second], ['La/D;', '[Ljava/lang/Object;']);
});

test('what is no signature gives none, wherever it breaks off, and however deep it is', () => {
  const whole = '<T:La/B<TT;>;>La/Outer<La/B;>.Inner<*+[I>;La/C<-TT;>;';
  const ends = [...whole].map((_, end) => end).filter((end) => classSignature(whole.slice(0, end)) !== null);
  assert.deepEqual(ends, [whole.indexOf('La/C<-')]);
  for (const broken of ['', 'I', '<>La/B;', '<T>La/B;', 'La/B<>;', 'L;', 'TT;', 'La/B;x', 'La/B<I>;', 'La/B<[V>;'])
    assert.equal(classSignature(broken), null, broken);
  assert.equal(classSignature(`${'La/B<'.repeat(20_000)}La/C;${'>;'.repeat(10_000)}`), null);
  assert.equal(classSignature(`La/B<${'['.repeat(60_000)}I>;`), null);
  assert.equal(classSignature(`La/B<${'La/C<*>;'.repeat(100_000)}>;`), null);
});

test('a signature of a method gives what it takes and gives, one of a field its type; none is read but to its end', () => {
  const { parameters, takes, gives } = methodSignature(
    '<T::Ljava/lang/Comparable<-TT;>;>(Ljava/util/List<+TT;>;[I)TT;^Ljava/io/IOException;',
  )!;
  assert.deepEqual(
    parameters.map(({ name, bounds }) => [name, ...bounds.map(text)]),
    [['T', 'java/lang/Comparable<? super T>']],
  );
  assert.deepEqual([...takes, gives].map(text), ['java/util/List<? extends T>', 'I[]', 'T']);
  assert.equal(
    text(fieldSignature('Ljava/util/Map<TK;[Ljava/util/List<*>;>;')!),
    'java/util/Map<K, java/util/List<?>[]>',
  );
  for (const broken of ['(TT;)', '(TT;)VV', '(V)V', 'TT;', '()V^I']) assert.equal(methodSignature(broken), null);
  for (const broken of ['TT', 'TT;TT;', 'I', 'Ljava/util/List<>;']) assert.equal(fieldSignature(broken), null);
});
